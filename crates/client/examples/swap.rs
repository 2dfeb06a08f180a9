//! Quotes, signs and sends one swap, from the wallet's own account to itself.
//!
//! ```sh
//! FIRMQUOTE_URL=http://127.0.0.1:8080 FIRMQUOTE_API_KEY=... NODE_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... \
//!     cargo run -p firmquote-client --example swap -- ETH USDC 1000000000000000000
//! ```
//!
//! If a symbol is that of the wrapped native token, `NATIVE=input` pays the input, and `NATIVE=output` receives the
//! output, as native coin. The node is reached over `http` here; for `https` enable a TLS feature of `alloy-provider`.
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::{env, error::Error, time::Duration};

use alloy_provider::{
    Provider, ProviderBuilder,
    network::{Ethereum, EthereumWallet, Network, ReceiptResponse as _, TransactionBuilder as _},
};
use alloy_signer_local::PrivateKeySigner;
use alloy_sol_types::{SolCall as _, sol};
use firmquote_client::{
    Address, Amount, ChainId, Client, ClientSettings, Credential, Error as AskError, FixedAmount, NativeSide,
    QuoteRequest, Reaction, Response, Secret, SignedSwap, SwapTerms, Symbol, Transaction, U256,
};

sol! {
    interface Token {
        function allowance(address owner, address spender) external view returns (uint256);
        function approve(address spender, uint256 amount) external returns (bool);
    }
}

type Failure = Box<dyn Error + Send + Sync>;
type Receipt = <Ethereum as Network>::ReceiptResponse;
type ToSend = <Ethereum as Network>::TransactionRequest;

/// The number of attempts before giving up.
const ATTEMPTS: u32 = 4;

/// The delay before a retry if the service names none, multiplied by the attempt number.
const PAUSE: Duration = Duration::from_millis(200);

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [give, get, amount] = arguments.as_slice() else { return Err("usage: swap INPUT OUTPUT INPUT_AMOUNT".into()) };
    let mut settings = ClientSettings::new(env::var("FIRMQUOTE_URL")?);
    settings.credential = Credential::ApiKey(Secret::new(env::var("FIRMQUOTE_API_KEY")?));
    let client = Client::new(settings)?;

    let key: PrivateKeySigner = env::var("PRIVATE_KEY")?.parse()?;
    let account = key.address();
    let node = ProviderBuilder::new().wallet(EthereumWallet::from(key)).connect_http(env::var("NODE_URL")?.parse()?);

    let chain = ChainId::new(node.get_chain_id().await?).ok_or("the node reports chain id 0")?;
    let amount = FixedAmount::Input(amount.parse::<Amount>()?);
    let request = QuoteRequest::new(chain, Symbol::new(give)?, Symbol::new(get)?, amount);
    let native = match env::var("NATIVE").as_deref() {
        Ok("input") => NativeSide::Input,
        Ok("output") => NativeSide::Output,
        _ => NativeSide::Neither,
    };
    let terms = SwapTerms::transmit_and_swap(account).with_native(native);
    let (swap, receipt) = swap(&client, &node, account, request, terms).await?;
    println!("{} for {} base units in {}", swap.output_amount, swap.input_amount, receipt.transaction_hash());
    Ok(())
}

/// Executes a swap, and returns it with the receipt of the transaction.
///
/// # Errors
/// If no firm swap is signed after some attempts, or the transaction does not execute.
pub async fn swap(
    client: &Client,
    node: &impl Provider,
    account: Address,
    request: QuoteRequest,
    terms: SwapTerms,
) -> Result<(SignedSwap, Receipt), Failure> {
    // Time for two transactions: the approval, if one is needed, and the swap. An account with an existing allowance
    // needs less time, and gets a slightly better price for it.
    let request = QuoteRequest { time_in_seconds: Some(120), ..request };
    let swap = firm_swap(client, &request, terms).await?;
    if terms.transmit && terms.native != NativeSide::Input {
        allow(node, account, &swap).await?;
    }
    let Transaction { to, value, data } = swap.transaction().ok_or("the swap has no calldata")?;
    let receipt = send(node, ToSend::default().with_to(to).with_value(value).with_input(data)).await?;
    Ok((swap, receipt))
}

/// Returns a signed swap, requoting if the quote is no longer acceptable.
async fn firm_swap(client: &Client, request: &QuoteRequest, terms: SwapTerms) -> Result<SignedSwap, Failure> {
    let mut quote = persist(async || client.quote(request).await).await?;
    for _ in 0..ATTEMPTS {
        // Inspect the quoted amounts here, before they are signed.
        let error = match persist(async || client.sign_quote(&quote, &terms).await).await {
            Ok(swap) => return Ok(swap),
            Err(error) => error,
        };
        quote = match (error.reaction(), error.fresh_quote()) {
            (Reaction::Requote, Some(fresh)) => fresh.clone(),
            (Reaction::Requote, None) => persist(async || client.quote(request).await).await?,
            _ => return Err(error.into()),
        };
    }
    Err("no quote stayed valid until it was signed".into())
}

/// Retries a few times, as long as that may help.
async fn persist<T>(ask: impl AsyncFn() -> Result<Response<T>, AskError>) -> Result<T, AskError> {
    for attempt in 1..ATTEMPTS {
        match ask().await {
            Ok(response) => return Ok(response.value),
            Err(error) => match error.reaction() {
                Reaction::Retry { after } => tokio::time::sleep(after.unwrap_or(PAUSE * attempt)).await,
                Reaction::Requote | Reaction::GiveUp => return Err(error),
            },
        }
    }
    ask().await.map(|response| response.value)
}

/// Approves the input for the pool if the current allowance is too small.
async fn allow(node: &impl Provider, account: Address, swap: &SignedSwap) -> Result<(), Failure> {
    let (token, pool) = (swap.input_asset_address, swap.service_exchange_address);
    let amount = swap.input_amount.base_units();
    let question = Token::allowanceCall { owner: account, spender: pool };
    let response = node.call(ToSend::default().with_to(token).with_input(question.abi_encode())).await?;
    let allowed: U256 = Token::allowanceCall::abi_decode_returns(&response)?;
    if allowed < amount {
        let approval = Token::approveCall { spender: pool, amount };
        send(node, ToSend::default().with_to(token).with_input(approval.abi_encode())).await?;
    }
    Ok(())
}

/// Sends a transaction and waits until it has executed.
async fn send(node: &impl Provider, transaction: ToSend) -> Result<Receipt, Failure> {
    let receipt = node.send_transaction(transaction).await?.get_receipt().await?;
    if receipt.status() { Ok(receipt) } else { Err(format!("{} reverted", receipt.transaction_hash()).into()) }
}
