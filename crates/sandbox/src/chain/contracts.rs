//! Calls of the simulated contracts without a transaction: tokens (ERC-20) and pools.

use alloy_primitives::{B256, Bytes, U256};
use alloy_sol_types::{Revert as SolidityRevert, SolCall, SolError as _, SolEvent as _, sol};
use firmquote_desk::ServedPool;
use firmquote_domain::{Address, Asset, ChainId};
use firmquote_market::PoolState;

use super::{
    simulated_chain::SimulatedChain,
    transaction::{Revert, Transaction},
};

sol! {
    interface Erc20 {
        event Transfer(address indexed from, address indexed to, uint256 value);
        event Approval(address indexed owner, address indexed spender, uint256 value);
        function name() view returns (string);
        function symbol() view returns (string);
        function decimals() view returns (uint8);
        function totalSupply() view returns (uint256);
        function balanceOf(address account) view returns (uint256);
        function allowance(address owner, address spender) view returns (uint256);
        function approve(address spender, uint256 amount) returns (bool);
        function transfer(address to, uint256 amount) returns (bool);
    }

    interface Pool {
        function allTokensBalance() view returns (uint256[] balances, address[] tokens, uint256 totalSupply);
        function nTokens() view returns (uint256);
        function tokenAt(uint256 index) view returns (address);
        function DESIGNATED_SIGNER() view returns (address);
        function WRAPPER_CONTRACT() view returns (address);
        function usedDigest(bytes32 digest) view returns (bool);
        function eip712Domain() view returns (
            bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt,
            uint256[] extensions
        );
    }
}

/// The fields of an EIP-712 domain with name, version, chain and contract (EIP-5267).
const DOMAIN_FIELDS: [u8; 1] = [0x0f];

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("execution reverted: {0}")]
    Swap(#[from] Revert),
    #[error("execution reverted")]
    Unknown,
}

/// The data of a reverted call: `Error(string)`, or nothing for a function that does not exist.
pub(crate) fn revert_data(error: &CallError) -> Bytes {
    match error {
        CallError::Swap(reason) => SolidityRevert::from(reason.to_string()).abi_encode().into(),
        CallError::Unknown => Bytes::new(),
    }
}

/// A call of a token that changes something.
pub(super) enum Erc20Call {
    Transfer { to: Address, amount: U256 },
    Approve { spender: Address, amount: U256 },
}

impl Erc20Call {
    pub(super) fn decode(data: &[u8]) -> Option<Self> {
        if let Ok(Erc20::transferCall { to, amount }) = Erc20::transferCall::abi_decode(data) {
            return Some(Self::Transfer { to, amount });
        }
        let Erc20::approveCall { spender, amount } = Erc20::approveCall::abi_decode(data).ok()?;
        Some(Self::Approve { spender, amount })
    }

    /// Topics and data of its log.
    pub(super) fn log(&self, from: Address) -> (Vec<B256>, Bytes) {
        let data = match *self {
            Self::Transfer { to, amount } => Erc20::Transfer { from, to, value: amount }.encode_log_data(),
            Self::Approve { spender, amount } => {
                Erc20::Approval { owner: from, spender, value: amount }.encode_log_data()
            }
        };
        (data.topics().to_vec(), data.data)
    }
}

/// Returns the result of `read` for calldata of the function `C`.
fn answer<C: SolCall>(data: &[u8], read: impl FnOnce(C) -> C::Return) -> Option<Bytes> {
    let call = C::abi_decode(data).ok()?;
    Some(C::abi_encode_returns(&read(call)).into())
}

impl SimulatedChain {
    /// Returns what a call without a transaction returns; nothing for an account without code.
    ///
    /// # Errors
    /// [`CallError`].
    pub(crate) fn call(&self, chain_id: ChainId, transaction: &Transaction) -> Result<Bytes, CallError> {
        let (to, data) = (transaction.to, &transaction.data);
        if let Some(pool) = self.pool_at(Some(chain_id), to) {
            return match self.read_pool(pool, data) {
                Some(answer) => Ok(answer),
                None => self.simulate(pool, transaction),
            };
        }
        match self.token(chain_id, to) {
            Some(token) => self.read_token(chain_id, token, data).ok_or(CallError::Unknown),
            None => Ok(Bytes::new()),
        }
    }

    /// Whether `address` is a pool or a token of `chain_id`.
    pub(crate) fn has_code(&self, chain_id: ChainId, address: Address) -> bool {
        self.pool_at(Some(chain_id), address).is_some() || self.token(chain_id, address).is_some()
    }

    /// Returns the asset of a pool on `chain_id` with this token contract.
    pub(super) fn token(&self, chain_id: ChainId, address: Address) -> Option<&Asset> {
        let pools = self.desk.pools.iter().filter(|pool| pool.id().chain_id == chain_id);
        let mut assets = pools.flat_map(|pool| &pool.signer().pool().spec().assets);
        assets.find(|asset| asset.address == address)
    }

    /// Executes a swap, and changes nothing.
    fn simulate(&self, pool: &ServedPool, transaction: &Transaction) -> Result<Bytes, CallError> {
        let execution =
            transaction.execute(pool, B256::ZERO, self.desk.clock.now()).map_err(|reason| match reason {
                Revert::NoSwap(_) => CallError::Unknown,
                reason => CallError::Swap(reason),
            })?;
        self.chain.lock().check_room(pool.id(), &execution.digest)?;
        Ok(Bytes::new())
    }

    fn read_pool(&self, pool: &ServedPool, data: &[u8]) -> Option<Bytes> {
        let spec = pool.signer().pool().spec();
        let tokens: Vec<Address> = spec.assets.iter().map(|asset| asset.address).collect();
        let state = self.desk.market.snapshot().pool(pool.id()).cloned();
        answer(data, |Pool::allTokensBalanceCall {}| Pool::allTokensBalanceReturn {
            balances: (0..tokens.len()).map(|at| reserve(state.as_deref(), at)).collect(),
            tokens: tokens.clone(),
            totalSupply: state.as_ref().map_or(U256::ZERO, |state| state.pool_tokens),
        })
        .or_else(|| answer(data, |Pool::nTokensCall {}| U256::from(tokens.len())))
        .or_else(|| {
            let call = Pool::tokenAtCall::abi_decode(data).ok()?;
            let token = tokens.get(usize::try_from(call.index).ok()?)?;
            Some(Pool::tokenAtCall::abi_encode_returns(token).into())
        })
        .or_else(|| answer(data, |Pool::DESIGNATED_SIGNERCall {}| pool.signer().address()))
        .or_else(|| answer(data, |Pool::WRAPPER_CONTRACTCall {}| spec.chain.wrapped_native))
        .or_else(|| answer(data, |call: Pool::usedDigestCall| self.chain.lock().executed.contains(&call.digest)))
        .or_else(|| {
            answer(data, |Pool::eip712DomainCall {}| Pool::eip712DomainReturn {
                fields: DOMAIN_FIELDS.into(),
                name: spec.domain.name.clone(),
                version: spec.domain.version.clone(),
                chainId: U256::from(spec.id.chain_id.get()),
                verifyingContract: spec.id.address,
                salt: B256::ZERO,
                extensions: Vec::new(),
            })
        })
    }

    fn read_token(&self, chain_id: ChainId, token: &Asset, data: &[u8]) -> Option<Bytes> {
        let symbol = || token.symbol.to_string();
        answer(data, |Erc20::nameCall {}| symbol())
            .or_else(|| answer(data, |Erc20::symbolCall {}| symbol()))
            .or_else(|| answer(data, |Erc20::decimalsCall {}| token.decimals.get()))
            .or_else(|| answer(data, |Erc20::totalSupplyCall {}| U256::MAX >> 1))
            .or_else(|| answer(data, |call: Erc20::balanceOfCall| self.balance(chain_id, token, call.account)))
            .or_else(|| answer(data, |_: Erc20::allowanceCall| U256::MAX))
            .or_else(|| answer(data, |_: Erc20::approveCall| true))
            .or_else(|| answer(data, |_: Erc20::transferCall| true))
    }

    /// The balance of `account`: of a pool its reserve.
    fn balance(&self, chain_id: ChainId, token: &Asset, account: Address) -> U256 {
        let Some(pool) = self.pool_at(Some(chain_id), account) else {
            return self.chain.lock().accounts.balance(token.address, token.decimals, account);
        };
        let at = pool.signer().pool().spec().assets.iter().position(|asset| asset.address == token.address);
        let snapshot = self.desk.market.snapshot();
        at.map_or(U256::ZERO, |at| reserve(snapshot.pool(pool.id()).map(|state| &**state), at))
    }
}

/// The reserve of the asset at this position.
fn reserve(state: Option<&PoolState>, position: usize) -> U256 {
    let asset = state.and_then(|state| state.assets.get(position));
    asset.and_then(|asset| asset.reserve.as_ref().ok()).map_or(U256::ZERO, |reserve| reserve.value.base_units())
}
