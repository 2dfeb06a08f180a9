//! Quotes, signs, verifies and sends one swap, from the wallet's own account to itself. Nothing is signed unless the
//! formula gives the quoted amounts, and nothing is approved or sent unless signature and calldata are for the requested
//! swap.
//!
//! ```sh
//! FIRMQUOTE_URL=http://127.0.0.1:8080 FIRMQUOTE_API_KEY=... NODE_URL=http://127.0.0.1:8545 PRIVATE_KEY=0x... \
//!     POOL=0x... INPUT_TOKEN=0x... OUTPUT_TOKEN=0x... \
//!     cargo run -p firmquote-verify --example swap -- ETH USDC 1000000000000000000
//! ```
//!
//! Take `POOL`, `INPUT_TOKEN` and `OUTPUT_TOKEN` from the operator or from the chain, not from the service: the swap is
//! verified against them. If a symbol is that of the wrapped native token, `NATIVE=input` pays the input, and
//! `NATIVE=output` receives the output, as native coin. The node is reached over `http` here; for `https` enable a TLS
//! feature of `alloy-provider`.
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::{env, error::Error, time::Duration};

use alloy_provider::{
    Provider, ProviderBuilder,
    network::{Ethereum, EthereumWallet, Network, ReceiptResponse as _, TransactionBuilder as _},
};
use alloy_signer_local::PrivateKeySigner;
use alloy_sol_types::{SolCall as _, sol};
use firmquote_client::{
    Address, Amount, ChainId, Client, ClientSettings, Credential, Error as ClientError, NativeSide, PoolRequest, Quote,
    QuoteRequest, Reaction, Response, Secret, SignedSwap, SwapAmount, SwapTerms, Symbol, Transaction, U256,
    parse_address,
};
use firmquote_domain::{BasisPoints, SigningDomain};
use firmquote_verify::{PublishedPool, PublishedPools, RequestedSwap, Verification, VerificationResult};

sol! {
    interface Pool {
        function DESIGNATED_SIGNER() external view returns (address);
    }

    interface Token {
        function allowance(address owner, address spender) external view returns (uint256);
        function approve(address spender, uint256 amount) external returns (bool);
    }
}

type BoxError = Box<dyn Error + Send + Sync>;
type Receipt = <Ethereum as Network>::ReceiptResponse;
type TransactionRequest = <Ethereum as Network>::TransactionRequest;

/// The contracts that a swap is verified against. None of them is taken from a response of the service.
#[derive(Clone, Copy, Debug)]
pub struct Contracts {
    /// The pool.
    pub pool: Address,
    /// The token to pay; the wrapped one for the chain's native coin.
    pub input: Address,
    /// The token to receive; the wrapped one for the chain's native coin.
    pub output: Address,
}

/// The number of attempts before giving up.
const ATTEMPTS: u32 = 4;

/// The delay before a retry if the service names none, multiplied by the attempt number.
const RETRY_DELAY: Duration = Duration::from_millis(200);

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, amount] = arguments.as_slice() else {
        return Err("usage: swap INPUT OUTPUT INPUT_AMOUNT".into());
    };
    let mut settings = ClientSettings::new(env::var("FIRMQUOTE_URL")?);
    settings.credential = Credential::ApiKey(Secret::new(env::var("FIRMQUOTE_API_KEY")?));
    let client = Client::new(settings)?;

    let key: PrivateKeySigner = env::var("PRIVATE_KEY")?.parse()?;
    let account = key.address();
    let node = ProviderBuilder::new().wallet(EthereumWallet::from(key)).connect_http(env::var("NODE_URL")?.parse()?);

    let chain = ChainId::new(node.get_chain_id().await?).ok_or("the node reports chain id 0")?;
    let amount = SwapAmount::ExactInput(amount.parse::<Amount>()?);
    let request = QuoteRequest::new(chain, Symbol::new(input)?, Symbol::new(output)?, amount);
    let native = match env::var("NATIVE").as_deref() {
        Ok("input") => NativeSide::Input,
        Ok("output") => NativeSide::Output,
        _ => NativeSide::Neither,
    };
    let terms = SwapTerms::transmit_and_swap(account).with_native(native);
    let contract = |name| -> Result<Address, BoxError> { Ok(parse_address(&env::var(name)?)?) };
    let contracts =
        Contracts { pool: contract("POOL")?, input: contract("INPUT_TOKEN")?, output: contract("OUTPUT_TOKEN")? };
    let (swap, receipt) = swap(&client, &node, account, request, contracts, terms).await?;
    println!("{} for {} base units in {}", swap.output_amount, swap.input_amount, receipt.transaction_hash());
    Ok(())
}

/// Executes a swap, and returns it with the receipt of the transaction.
///
/// # Errors
/// If no quote is signed after some attempts, the swap is not verified, or the transaction does not execute.
pub async fn swap(
    client: &Client,
    node: &impl Provider,
    account: Address,
    request: QuoteRequest,
    contracts: Contracts,
    terms: SwapTerms,
) -> Result<(SignedSwap, Receipt), BoxError> {
    // Time for two transactions: the approval, if needed, and the swap. With an existing allowance less time is
    // needed, which gives a slightly better price.
    let request = QuoteRequest { time_in_seconds: Some(120), pool_address: Some(contracts.pool), ..request };
    let (domain, signer) = signing_domain_and_signer(client, node, request.chain_id, contracts.pool).await?;
    let swap = firm_swap(client, &request, terms).await?;
    verify(&swap, &request, contracts, &terms, &domain, signer)?;
    if terms.transmit && terms.native != NativeSide::Input {
        approve(node, account, &swap).await?;
    }
    let Transaction { to, value, data } = swap.transaction().ok_or("the swap has no calldata")?;
    let receipt = send(node, TransactionRequest::default().with_to(to).with_value(value).with_input(data)).await?;
    Ok((swap, receipt))
}

/// Returns the EIP-712 domain that the service publishes, and the signer that the contract accepts. With a wrong domain
/// no signature recovers to the signer.
async fn signing_domain_and_signer(
    client: &Client,
    node: &impl Provider,
    chain_id: ChainId,
    pool: Address,
) -> Result<(SigningDomain, Address), BoxError> {
    let published =
        client.offchain_pools(&PoolRequest { pool_address: Some(pool), ..PoolRequest::new(chain_id) }).await?;
    let domain = published.first().and_then(|data| data.pool.eip712_domain.clone()).ok_or("the pool has no domain")?;
    let call = Pool::DESIGNATED_SIGNERCall {};
    let response = node.call(TransactionRequest::default().with_to(pool).with_input(call.abi_encode())).await?;
    Ok((domain.into(), Pool::DESIGNATED_SIGNERCall::abi_decode_returns(&response)?))
}

/// Checks the terms of `swap`, its signature and its calldata against everything that was requested.
///
/// # Errors
/// Unless every check holds.
pub fn verify(
    swap: &SignedSwap,
    request: &QuoteRequest,
    contracts: Contracts,
    terms: &SwapTerms,
    domain: &SigningDomain,
    signer: Address,
) -> Result<(), BoxError> {
    let verification = Verification {
        signed: Some(swap),
        requested: RequestedSwap {
            pool: Some(contracts.pool),
            input_token: Some(contracts.input),
            output_token: Some(contracts.output),
            fixed: Some(request.amount.side()),
            fixed_amount: Some(request.amount.amount()),
            destination: Some(terms.destination),
            native: Some(terms.native),
            transmit: Some(terms.transmit),
            aux_data: terms.aux_data,
            levels_id: None,
        },
        signer: Some(signer),
        domain_name: Some(&domain.name),
        domain_version: Some(&domain.version),
        ..Verification::default()
    };
    require_verified(&verification)
}

/// Checks the amounts of `quote` on the pool data of the state that it names. Its prices are those of the service:
/// compare the rate with that of other markets too.
///
/// # Errors
/// Unless every check holds.
async fn verify_amounts(client: &Client, request: &QuoteRequest, quote: &Quote) -> Result<(), BoxError> {
    let state = PoolRequest {
        pool_address: request.pool_address,
        time_in_seconds: request.time_in_seconds,
        state_id: quote.state_id.map(|id| *id),
        ..PoolRequest::new(request.chain_id)
    };
    let published = with_retries(async || client.pools(&state).await).await?;
    let pools: Vec<PublishedPool> = published.into_iter().map(Into::into).collect();
    require_verified(&Verification {
        quote: Some(quote),
        requested: RequestedSwap { fixed: Some(request.amount.side()), ..RequestedSwap::default() },
        pool_data: Some(PublishedPools { pools: &pools, is_unchanged: true, price_tolerance: BasisPoints::default() }),
        ..Verification::default()
    })
}

fn require_verified(verification: &Verification<'_>) -> Result<(), BoxError> {
    let checks = verification.checks();
    match VerificationResult::from_checks(&checks) {
        VerificationResult::Verified => Ok(()),
        result => Err(format!("not verified, but {result:?}: {checks:?}").into()),
    }
}

/// Returns a signed swap, requoting if the quote is no longer acceptable.
async fn firm_swap(client: &Client, request: &QuoteRequest, terms: SwapTerms) -> Result<SignedSwap, BoxError> {
    let mut quote = with_retries(async || client.quote(request).await).await?;
    for _ in 0..ATTEMPTS {
        verify_amounts(client, request, &quote).await?;
        let error = match with_retries(async || client.sign_quote(&quote, &terms).await).await {
            Ok(swap) => return Ok(swap),
            Err(error) => error,
        };
        quote = match (error.reaction(), error.fresh_quote()) {
            (Reaction::Requote, Some(fresh)) => *fresh,
            (Reaction::Requote, None) => with_retries(async || client.quote(request).await).await?,
            _ => return Err(error.into()),
        };
    }
    Err("no quote stayed valid until it was signed".into())
}

/// Retries a few times, as long as that may help.
async fn with_retries<T>(send: impl AsyncFn() -> Result<Response<T>, ClientError>) -> Result<T, ClientError> {
    for attempt in 1..ATTEMPTS {
        match send().await {
            Ok(response) => return Ok(response.value),
            Err(error) => match error.reaction() {
                Reaction::Retry { after } => tokio::time::sleep(after.unwrap_or(RETRY_DELAY * attempt)).await,
                Reaction::Requote | Reaction::GiveUp => return Err(error),
            },
        }
    }
    send().await.map(|response| response.value)
}

/// Approves the input for the pool if the current allowance is too small.
async fn approve(node: &impl Provider, account: Address, swap: &SignedSwap) -> Result<(), BoxError> {
    let (token, pool) = (*swap.input_asset_address, *swap.service_exchange_address);
    let amount = swap.input_amount.base_units();
    let call = Token::allowanceCall { owner: account, spender: pool };
    let response = node.call(TransactionRequest::default().with_to(token).with_input(call.abi_encode())).await?;
    let allowance: U256 = Token::allowanceCall::abi_decode_returns(&response)?;
    if allowance < amount {
        let approval = Token::approveCall { spender: pool, amount };
        send(node, TransactionRequest::default().with_to(token).with_input(approval.abi_encode())).await?;
    }
    Ok(())
}

/// Sends a transaction and waits until it has executed.
async fn send(node: &impl Provider, transaction: TransactionRequest) -> Result<Receipt, BoxError> {
    let receipt = node.send_transaction(transaction).await?.get_receipt().await?;
    if receipt.status() { Ok(receipt) } else { Err(format!("{} reverted", receipt.transaction_hash()).into()) }
}
