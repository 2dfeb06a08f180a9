//! A first swap in the sandbox: a quote, its signature, and the transaction as JSON.
//!
//! ```sh
//! FIRMQUOTE_URL=http://127.0.0.1:8080 FIRMQUOTE_API_KEY=sandbox_... cargo run -p firmquote-client --example first_swap
//! ```
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::{env, error::Error};

use firmquote_client::{
    ChainId, Client, ClientSettings, Credential, FixedAmount, QuoteRequest, Secret, SwapTerms, Symbol, Transaction,
    parse_address,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let transaction = first_swap(&env::var("FIRMQUOTE_URL")?, &env::var("FIRMQUOTE_API_KEY")?).await?;
    println!("{{\"to\":\"{}\",\"data\":\"{}\"}}", transaction.to, transaction.data);
    Ok(())
}

/// Returns the transaction that swaps 0.1 ETH for USDC.
///
/// # Errors
/// If the service refuses, or cannot be reached.
pub async fn first_swap(url: &str, api_key: &str) -> Result<Transaction, Box<dyn Error>> {
    let mut settings = ClientSettings::new(url);
    settings.credential = Credential::ApiKey(Secret::new(api_key));
    let client = Client::new(settings)?;

    let amount = FixedAmount::Input("100000000000000000".parse()?);
    let chain = ChainId::new(31_337).ok_or("no chain")?;
    let quote = client.quote(&QuoteRequest::new(chain, Symbol::new("ETH")?, Symbol::new("USDC")?, amount)).await?;
    let terms = SwapTerms::transmit_and_swap(parse_address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")?);
    let swap = client.sign_quote(&quote, &terms).await?;
    Ok(swap.transaction().ok_or("no calldata")?)
}
