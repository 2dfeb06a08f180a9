//! A pool as it publishes itself: both sets of its data put together, in exact numbers.

use firmquote_client::{OffchainAsset, OffchainPool, OnchainAsset, OnchainPool, PairFee};
use firmquote_domain::{Address, Amount, Asset, PoolConstant, PoolId, Price, SigningDomain, Symbol, parse_address};
use firmquote_pricing::{PairState, Side};

/// A pool with its state and the fees for one `time_in_seconds`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PublishedPool {
    pub(crate) id: PoolId,
    /// The account that signs for it, as far as the service says.
    pub(crate) signer: Option<Address>,
    /// The EIP-712 domain of its signatures, as far as the service says.
    pub(crate) domain: Option<SigningDomain>,
    pub(crate) k: PoolConstant,
    pub(crate) time_in_seconds: u32,
    pub(crate) swaps_enabled: bool,
    /// For display.
    pub(crate) value_in_usd: f64,
    /// Those that are quoted.
    pub(crate) assets: Vec<PublishedAsset>,
    /// Those that are not, at present.
    pub(crate) unquoted: Vec<Symbol>,
    pub(crate) pairs: Vec<PairFee>,
}

/// An asset of a pool with its state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PublishedAsset {
    pub(crate) asset: Asset,
    pub(crate) price: Price,
    pub(crate) reserve: Amount,
    /// For display.
    pub(crate) value_in_usd: f64,
    /// For display; not known while an asset is not quoted.
    pub(crate) target_value_in_usd: Option<f64>,
}

/// Why pool data says nothing that can be relied on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unjoined {
    /// The two sets were read at different moments.
    #[error("the prices moved between the on-chain and the off-chain data of pool {0}: read both again")]
    Torn(PoolId),
    /// One set lists what the other does not.
    #[error("the on-chain and the off-chain data of pool {0} do not list the same assets")]
    Foreign(PoolId),
}

impl PublishedPool {
    /// All pools of both sets, in the order of the off-chain one.
    ///
    /// # Errors
    /// [`Unjoined`] for the first pool whose two sets do not belong together.
    pub(crate) fn all(onchain: &[OnchainPool], offchain: &[OffchainPool]) -> Result<Vec<Self>, Unjoined> {
        let join = |offchain: &OffchainPool| {
            let id = PoolId { chain_id: offchain.chain_id, address: offchain.address };
            let is_same = |one: &&OnchainPool| (one.chain_id, one.address) == (id.chain_id, id.address);
            Self::join(id, offchain, onchain.iter().find(is_same).ok_or(Unjoined::Foreign(id))?)
        };
        offchain.iter().map(join).collect()
    }

    fn join(id: PoolId, offchain: &OffchainPool, onchain: &OnchainPool) -> Result<Self, Unjoined> {
        let (mut assets, mut unquoted) = (Vec::new(), Vec::new());
        for asset in &offchain.assets {
            let is_same = |one: &&OnchainAsset| one.address == asset.address;
            let state = onchain.assets.iter().find(is_same).ok_or(Unjoined::Foreign(id))?;
            if asset.price_in_usd != state.price_in_usd {
                return Err(Unjoined::Torn(id));
            }
            match PublishedAsset::join(asset, state) {
                Some(joined) => assets.push(joined),
                None => unquoted.push(asset.name.clone()),
            }
        }
        Ok(Self {
            id,
            signer: offchain.signer_address,
            domain: offchain.eip712_domain.clone(),
            k: offchain.k,
            time_in_seconds: offchain.time_in_seconds,
            swaps_enabled: offchain.swaps_enabled,
            value_in_usd: assets.iter().map(|asset| asset.value_in_usd).sum(),
            assets,
            unquoted,
            pairs: offchain.pairs.clone(),
        })
    }

    /// The asset with this token.
    pub(crate) fn token(&self, address: Address) -> Option<&PublishedAsset> {
        self.assets.iter().find(|one| one.asset.address == address)
    }

    /// The asset that a person calls so: by its symbol, or by the address of its token.
    pub(crate) fn named(&self, name: &str) -> Option<&PublishedAsset> {
        let token = parse_address(name).ok();
        let is_named = |one: &&PublishedAsset| one.asset.symbol.as_str() == name || token == Some(one.asset.address);
        self.assets.iter().find(is_named)
    }

    /// What a swap of one token for the other is priced on, or `None` where the two do not trade.
    pub(crate) fn pair_state(&self, input: Address, output: Address) -> Option<PairState> {
        let (input, output) = (self.token(input)?, self.token(output)?);
        let symbols = (&input.asset.symbol, &output.asset.symbol);
        let trades = |pair: &&PairFee| {
            let [first, second] = &pair.assets;
            symbols == (first, second) || symbols == (second, first)
        };
        let fee = self.pairs.iter().find(trades)?.fee_in_basis_points;
        Some(PairState { input: input.side(), output: output.side(), k: self.k, fee })
    }
}

impl PublishedAsset {
    /// Both together; `None` for one that is not quoted.
    fn join(offchain: &OffchainAsset, onchain: &OnchainAsset) -> Option<Self> {
        Some(Self {
            asset: Asset {
                symbol: offchain.name.clone(),
                address: offchain.address,
                decimals: offchain.decimals,
                weight: offchain.listing_weight,
            },
            price: offchain.price_in_usd?,
            reserve: onchain.balance?,
            value_in_usd: onchain.value_in_usd?,
            target_value_in_usd: onchain.target_value_in_usd,
        })
    }

    const fn side(&self) -> Side {
        Side { reserve: self.reserve, price: self.price, weight: self.asset.weight, decimals: self.asset.decimals }
    }
}
