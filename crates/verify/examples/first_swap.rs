//! A first swap in the sandbox: a quote, its signature, both verified, and the transaction as JSON.
//!
//! ```sh
//! FIRMQUOTE_URL=http://127.0.0.1:8080 FIRMQUOTE_API_KEY=sandbox_... cargo run -p firmquote-verify --example first_swap
//! ```
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::{env, error::Error};

use firmquote_client::{
    ChainId, Client, ClientSettings, Credential, NativeSide, PoolRequest, QuoteRequest, Secret, SwapAmount, SwapTerms,
    Symbol, Transaction, parse_address,
};
use firmquote_domain::FixedSide;
use firmquote_verify::{RequestedSwap, Verification, VerificationResult};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let transaction = first_swap(&env::var("FIRMQUOTE_URL")?, &env::var("FIRMQUOTE_API_KEY")?).await?;
    println!("{{\"to\":\"{}\",\"data\":\"{}\"}}", transaction.to, transaction.data);
    Ok(())
}

/// Returns the transaction that swaps 0.1 ETH for USDC. Pool, signer and tokens are those of the pool data: with a real
/// pool, take them from the operator or from the contract.
///
/// # Errors
/// If the service refuses, or cannot be reached, or signs anything but the requested swap.
pub async fn first_swap(url: &str, api_key: &str) -> Result<Transaction, Box<dyn Error>> {
    let mut settings = ClientSettings::new(url);
    settings.credential = Credential::ApiKey(Secret::new(api_key));
    let client = Client::new(settings)?;

    let chain = ChainId::new(31_337).ok_or("no chain")?;
    let pools = client.offchain_pools(&PoolRequest::new(chain)).await?;
    let data = pools.first().ok_or("no pool")?;
    let pool = &data.pool;
    let token =
        |symbol: &str| data.assets.iter().find(|asset| asset.name.as_str() == symbol).map(|asset| *asset.address);

    let amount = "100000000000000000".parse()?;
    let request = QuoteRequest {
        pool_address: Some(*pool.address),
        ..QuoteRequest::new(chain, Symbol::new("ETH")?, Symbol::new("USDC")?, SwapAmount::ExactInput(amount))
    };
    let quote = client.quote(&request).await?;
    let terms = SwapTerms::transmit_and_swap(parse_address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")?);
    let swap = client.sign_quote(&quote, &terms).await?;

    let verification = Verification {
        signed: Some(&swap),
        requested: RequestedSwap {
            pool: Some(*pool.address),
            input_token: Some(token("ETH").ok_or("no ETH")?),
            output_token: Some(token("USDC").ok_or("no USDC")?),
            fixed: Some(FixedSide::Input),
            fixed_amount: Some(amount),
            destination: Some(terms.destination),
            native: Some(NativeSide::Neither),
            transmit: Some(true),
            ..RequestedSwap::default()
        },
        signer: pool.signer_address.map(|signer| *signer),
        domain_name: pool.eip712_domain.as_ref().map(|domain| domain.name.as_str()),
        domain_version: pool.eip712_domain.as_ref().map(|domain| domain.version.as_str()),
        ..Verification::default()
    };
    let checks = verification.checks();
    if VerificationResult::from_checks(&checks) != VerificationResult::Verified {
        return Err(format!("the swap is not verified: {checks:?}").into());
    }
    Ok(swap.transaction().ok_or("no calldata")?)
}
