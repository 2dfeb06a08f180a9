//! Quotes of random pools, recomputed in other languages to the same integer.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::fmt::Write as _;

use firmquote_domain::{Address, GoodUntilKind, SigningDomain};
use firmquote_e2e::{
    configuration::NO_LIMITS,
    draw,
    endpoint::{API_KEY, API_KEY_SHA256},
    evm::CHAIN_ID,
    exchange::Opening,
    service::Service,
};

use super::{ALL, succeed};

/// Number of random pools: of both kinds, with any k, and tokens with any decimals, price and weight.
const POOLS: u64 = 40;

/// Their bounds on the improvement, in turn. The pools are far from their targets: all bind.
const BOUNDS: [&str; 5] = ["\"none\"", "0.01", "12.34", "100", "9999.99"];

/// Number of quotes that each client recomputes.
const QUOTES: &str = "10000";

/// Appends the tables of a pool whose tokens are `T0` to `T3`.
fn pool(file: &mut String, seed: u64) {
    let kind = if seed.is_multiple_of(2) { GoodUntilKind::Plain } else { GoodUntilKind::Verified };
    let mut rng = draw::generator(seed);
    let Opening { k, listings, .. } = draw::opening(&mut rng, kind);
    let fee = draw::fee(&mut rng);
    let kind = if kind == GoodUntilKind::Plain { "plain" } else { "verified" };
    let domain = SigningDomain { name: "Firmquote Test".into(), version: "7".into() };
    let address = Address::left_padding_from(&(seed + 1).to_be_bytes());
    let SigningDomain { name, version } = domain;
    let bound = BOUNDS.iter().cycle().nth(usize::try_from(seed).unwrap()).unwrap();
    write!(
        file,
        "\n[[pool]]\nchain_id = {CHAIN_ID}\naddress = \"{address}\"\nsigner = \"hot\"\n\
         domain = {{ name = \"{name}\", version = \"{version}\" }}\ngood_until = \"{kind}\"\nk = {k}\n\
         single_use = true\nmax_improvement_bps = {bound}\n{NO_LIMITS}"
    )
    .unwrap();
    for (position, listing) in listings.iter().take(4).enumerate() {
        let token = if position == 0 { WRAPPED } else { Address::repeat_byte(u8::try_from(position).unwrap()) };
        let (decimals, weight) = (listing.decimals.get(), listing.weight.get());
        let (price, reserve) = (listing.price, listing.reserve);
        write!(
            file,
            "\n[[pool.asset]]\nsymbol = \"T{position}\"\naddress = \"{token}\"\ndecimals = {decimals}\n\
             weight = {weight}\nreserve = \"{reserve}\"\nprice_usd = {price}\n"
        )
        .unwrap();
    }
    for [first, second] in [[0, 1], [0, 2], [1, 3], [2, 3]] {
        write!(
            file,
            "\n[[pool.pair]]\nassets = [\"T{first}\", \"T{second}\"]\nbase_fee_bps = {fee}\nannual_volatility = 0.4\n"
        )
        .unwrap();
    }
}

const WRAPPED: Address = Address::repeat_byte(0xee);

#[test]
fn ten_thousand_quotes_of_random_pools_are_recomputed_to_the_unit() {
    let mut file = format!(
        "[store]\nkind = \"memory\"\nmax_quotes = 1000000\n\n\
         [[credential]]\nclient = \"partner\"\napi_key_sha256 = \"{API_KEY_SHA256}\"\n\n\
         [[chain]]\nid = {CHAIN_ID}\nname = \"Test\"\nnative_symbol = \"ETH\"\nwrapped_native = \"{WRAPPED}\"\n\n\
         [[signer]]\nname = \"hot\"\nkey_env = \"FIRMQUOTE_SIGNER_KEY\"\n"
    );
    (0..POOLS).for_each(|seed| pool(&mut file, seed));
    let service = Service::start(&file);
    for binding in ALL {
        let mut program = binding.program("recompute");
        program.env("FIRMQUOTE_URL", service.public().base()).env("FIRMQUOTE_API_KEY", API_KEY);
        let stdout = succeed(program.args(["--quotes", QUOTES]));
        assert!(stdout.contains(&format!("{QUOTES} quotes recomputed")), "{binding:?}: {stdout}");
    }
}
