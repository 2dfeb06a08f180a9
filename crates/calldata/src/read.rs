//! View functions of a pool contract.

use alloy_primitives::{Address, U256};
use alloy_sol_types::SolCall;

use crate::{
    CalldataError,
    abi::{self, STRICT},
};

/// A call of a view function of a pool contract, to be sent with `eth_call`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolRead {
    /// All balances in the pool's own books; decoded by [`decode_balances`].
    AllTokensBalance,
    /// The number of tokens in the pool; decoded by [`decode_number`].
    NTokens,
    /// The token at this position, counted from 0; decoded by [`decode_address`].
    TokenAt(U256),
    /// The account whose signatures the pool accepts; decoded by [`decode_address`].
    DesignatedSigner,
    /// The wrapped-native contract that the pool uses; decoded by [`decode_address`].
    WrapperContract,
}

impl PoolRead {
    /// Returns the calldata of the call.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::AllTokensBalance => abi::allTokensBalanceCall {}.abi_encode(),
            Self::NTokens => abi::nTokensCall {}.abi_encode(),
            Self::TokenAt(index) => abi::tokenAtCall { index: *index }.abi_encode(),
            Self::DesignatedSigner => abi::DESIGNATED_SIGNERCall {}.abi_encode(),
            Self::WrapperContract => abi::WRAPPER_CONTRACTCall {}.abi_encode(),
        }
    }
}

/// The result of [`PoolRead::AllTokensBalance`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolBalances {
    /// Each token with its balance in base units, in the pool's order.
    pub balances: Vec<(Address, U256)>,
    /// Total supply of the pool's own token, in base units.
    pub total_supply: U256,
}

/// Decodes the result of [`PoolRead::AllTokensBalance`].
///
/// # Errors
/// [`CalldataError::Malformed`] for anything but the canonical encoding, and for unequal numbers of tokens and
/// balances.
pub fn decode_balances(return_data: &[u8]) -> Result<PoolBalances, CalldataError> {
    let all = strict::<abi::allTokensBalanceCall>(return_data)?;
    if all.tokens.len() != all.balances.len() {
        let uneven = alloy_sol_types::Error::custom("the numbers of tokens and balances differ");
        return Err(CalldataError::Malformed(uneven));
    }
    let balances = all.tokens.into_iter().zip(all.balances).collect();
    Ok(PoolBalances { balances, total_supply: all.totalSupply })
}

/// Decodes the result of [`PoolRead::NTokens`].
///
/// # Errors
/// [`CalldataError::Malformed`] for anything but one word.
pub fn decode_number(return_data: &[u8]) -> Result<U256, CalldataError> {
    strict::<abi::nTokensCall>(return_data)
}

/// Decodes the result of [`PoolRead::TokenAt`], [`PoolRead::DesignatedSigner`] and [`PoolRead::WrapperContract`].
///
/// # Errors
/// [`CalldataError::Malformed`] for anything but one word that contains an address.
pub fn decode_address(return_data: &[u8]) -> Result<Address, CalldataError> {
    strict::<abi::tokenAtCall>(return_data)
}

fn strict<C: SolCall>(return_data: &[u8]) -> Result<C::Return, CalldataError> {
    C::abi_decode_returns_with_config(return_data, STRICT).map_err(CalldataError::Malformed)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{B256, keccak256};

    use super::*;

    fn words(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| B256::from(U256::from(*number)).0).collect()
    }

    #[test]
    fn view_calls_start_with_their_function_selector() {
        for (read, signature) in [
            (PoolRead::AllTokensBalance, "allTokensBalance()"),
            (PoolRead::NTokens, "nTokens()"),
            (PoolRead::TokenAt(U256::from(3)), "tokenAt(uint256)"),
            (PoolRead::DesignatedSigner, "DESIGNATED_SIGNER()"),
            (PoolRead::WrapperContract, "WRAPPER_CONTRACT()"),
        ] {
            let calldata = read.encode();
            assert_eq!(calldata[..4], keccak256(signature)[..4], "{signature}");
            let arguments = if matches!(read, PoolRead::TokenAt(_)) { words(&[3]) } else { vec![] };
            assert_eq!(calldata[4..], arguments);
        }
    }

    #[test]
    fn balances_are_decoded_with_their_tokens() {
        let all = decode_balances(&words(&[96, 192, 7, 2, 10, 20, 2, 1, 2])).unwrap();
        let token = |number: u64| Address::from_word(B256::from(U256::from(number)));
        assert_eq!(all.balances, [(token(1), U256::from(10)), (token(2), U256::from(20))]);
        assert_eq!(all.total_supply, U256::from(7));
    }

    #[test]
    fn single_words_decode_as_numbers_and_addresses() {
        assert_eq!(decode_number(&words(&[7])), Ok(U256::from(7)));
        assert_eq!(decode_address(Address::repeat_byte(7).into_word().as_slice()), Ok(Address::repeat_byte(7)));
    }

    #[test]
    fn non_canonical_return_data_is_rejected() {
        for numbers in [
            &[][..],
            &[96, 192, 7, 2, 10, 20, 1, 1],
            &[96, 192, 7, 2, 10, 20, 2, 1],
            &[96, 192, 7, 2, 10, 20, 2, 1, 2, 0],
            &[192, 96, 7, 2, 10, 20, 2, 1, 2],
        ] {
            assert!(matches!(decode_balances(&words(numbers)), Err(CalldataError::Malformed(_))), "{numbers:?}");
        }
        for return_data in [words(&[]), words(&[1, 2]), vec![0; 31]] {
            assert!(decode_number(&return_data).is_err(), "{return_data:?}");
            assert!(decode_address(&return_data).is_err(), "{return_data:?}");
        }
        assert!(decode_address(&[0xff; 32]).is_err());
    }
}
