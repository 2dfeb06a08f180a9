//! Published pool data, from which a quote is recomputed.

use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, PoolConstant, PoolId, Price, SigningDomain, StateId, Symbol, U256,
    parse_address,
};
use firmquote_pricing::{PairAsset, PairState};

/// The published data of pools, to recompute amounts from.
#[derive(Clone, Copy, Debug)]
pub struct PublishedPools<'p> {
    /// The pools that may have quoted.
    pub pools: &'p [PublishedPool],
    /// Whether the pools published exactly this data for the quote: as its state, or both before and after it. A quote
    /// of another state then contradicts the data. If not, prices, reserves and fees may have moved in between, and
    /// other amounts prove nothing.
    pub is_unchanged: bool,
    /// The maximum movement of each price since.
    pub price_tolerance: BasisPoints,
}

/// A pool with its state and the fees for one `time_in_seconds`: its on-chain and off-chain pool data
/// (docs/api.md) at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedPool {
    /// Chain and contract.
    pub id: PoolId,
    /// The state of the data, if published.
    pub state_id: Option<StateId>,
    /// The account that signs for the pool, if published (`signer_address`).
    pub signer: Option<Address>,
    /// The EIP-712 domain of its signatures, if published.
    pub domain: Option<SigningDomain>,
    /// The pool constant.
    pub k: PoolConstant,
    /// The most that a swap is offered better than the prices; `None` without a bound.
    pub max_improvement: Option<BasisPoints>,
    /// The seconds that the fees are for.
    pub time_in_seconds: u32,
    /// The assets that are currently quoted.
    pub assets: Vec<PublishedAsset>,
    /// The pairs that trade, with their fees.
    pub pairs: Vec<PairFee>,
}

/// An asset of a pool with its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedAsset {
    /// Symbol, token, decimals and listing weight.
    pub asset: Asset,
    /// The price of a whole token.
    pub price: Price,
    /// Base units in the pool's books.
    pub reserve: Amount,
    /// The maximum inflow of signed swaps that have not been executed, in base units.
    pub outstanding_inflow: U256,
    /// The maximum outflow of signed swaps that have not been executed, in base units.
    pub outstanding_outflow: U256,
}

/// The fee of a pair, the same in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairFee {
    /// The symbols of both assets, in either order.
    pub assets: [Symbol; 2],
    /// The fee for the pool's `time_in_seconds`.
    pub fee: BasisPoints,
}

impl PublishedPool {
    /// Returns the asset with this token.
    pub fn token(&self, address: Address) -> Option<&PublishedAsset> {
        self.assets.iter().find(|published| published.asset.address == address)
    }

    /// Returns the asset with this symbol, or with the token at this address.
    pub fn asset(&self, name: &str) -> Option<&PublishedAsset> {
        let token = parse_address(name).ok();
        self.assets
            .iter()
            .find(|published| published.asset.symbol.as_str() == name || token == Some(published.asset.address))
    }

    /// Returns the state that a swap of `input` for `output` is priced on: as if the outstanding swaps had brought in
    /// the input and taken out the output. `None` if the two do not trade, or nothing is left of the output.
    pub fn pair_state(&self, input: Address, output: Address) -> Option<PairState> {
        let (input, output) = (self.token(input)?, self.token(output)?);
        let symbols = (&input.asset.symbol, &output.asset.symbol);
        let is_pair = |pair: &&PairFee| {
            let [first, second] = &pair.assets;
            symbols == (first, second) || symbols == (second, first)
        };
        let fee = self.pairs.iter().find(is_pair)?.fee;
        let input_reserve = input.reserve.base_units().checked_add(input.outstanding_inflow).and_then(Amount::new)?;
        let output_reserve =
            output.reserve.base_units().checked_sub(output.outstanding_outflow).and_then(Amount::new)?;
        Some(PairState {
            input: input.side(input_reserve),
            output: output.side(output_reserve),
            k: self.k,
            fee,
            max_improvement: self.max_improvement,
        })
    }
}

/// Without the assets that are not quoted at present.
impl From<firmquote_api::PoolData> for PublishedPool {
    fn from(firmquote_api::PoolData { pool, assets, pairs, .. }: firmquote_api::PoolData) -> Self {
        let assets = assets.into_iter().filter_map(|asset| {
            Some(PublishedAsset {
                asset: Asset {
                    symbol: asset.name.0,
                    address: *asset.address,
                    decimals: *asset.decimals,
                    weight: *asset.listing_weight,
                },
                price: *asset.price_in_usd?,
                reserve: *asset.balance?,
                outstanding_inflow: *asset.outstanding_inflow,
                outstanding_outflow: *asset.outstanding_outflow,
            })
        });
        let pairs = pairs.into_iter().map(|pair| PairFee { assets: pair.assets.0, fee: *pair.fee_in_basis_points });
        Self {
            id: PoolId { chain_id: *pool.chain_id, address: *pool.address },
            state_id: pool.state_id.map(|id| *id),
            signer: pool.signer_address.map(|address| *address),
            domain: pool.eip712_domain.map(Into::into),
            k: *pool.k,
            max_improvement: pool.max_improvement_bps.map(|bound| *bound),
            time_in_seconds: pool.time_in_seconds,
            assets: assets.collect(),
            pairs: pairs.collect(),
        }
    }
}

impl PublishedAsset {
    const fn side(&self, reserve: Amount) -> PairAsset {
        PairAsset { reserve, price: self.price, weight: self.asset.weight, decimals: self.asset.decimals }
    }
}
