//! The five functions of a pool that execute a signed offer.

use alloy_sol_types::SolCall;
use firmquote_domain::NativeSide;

use crate::abi;

/// A function of the pool contract that executes a signed offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwapFunction {
    /// Token to token; the input is already in the pool.
    Swap,
    /// Token to token; the input is pulled from the caller.
    TransmitAndSwap,
    /// Native coin, sent along with the call, to token.
    SellEthForToken,
    /// Token to native coin; the input is already in the pool.
    SellTokenForEth,
    /// Token to native coin; the input is pulled from the caller.
    TransmitAndSellTokenForEth,
}

impl SwapFunction {
    /// All five functions.
    pub const ALL: [Self; 5] = [
        Self::Swap,
        Self::TransmitAndSwap,
        Self::SellEthForToken,
        Self::SellTokenForEth,
        Self::TransmitAndSellTokenForEth,
    ];

    /// Returns the function that executes an offer with this native side; with `transmit`, the one that pulls the input
    /// from the caller. Native input is never pulled: it is sent as the value of the transaction.
    pub const fn new(native: NativeSide, transmit: bool) -> Self {
        match (native, transmit) {
            (NativeSide::Neither, false) => Self::Swap,
            (NativeSide::Neither, true) => Self::TransmitAndSwap,
            (NativeSide::Input, _) => Self::SellEthForToken,
            (NativeSide::Output, false) => Self::SellTokenForEth,
            (NativeSide::Output, true) => Self::TransmitAndSellTokenForEth,
        }
    }

    /// Returns the function with this selector, or `None` if it is none of the five.
    pub fn from_selector(selector: [u8; 4]) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.selector() == selector)
    }

    /// The name in the contract.
    pub fn name(self) -> &'static str {
        self.signature().split('(').next().unwrap_or_default()
    }

    /// The canonical signature: name and argument types, without spaces.
    pub const fn signature(self) -> &'static str {
        match self {
            Self::Swap => abi::swapCall::SIGNATURE,
            Self::TransmitAndSwap => abi::transmitAndSwapCall::SIGNATURE,
            Self::SellEthForToken => abi::sellEthForTokenCall::SIGNATURE,
            Self::SellTokenForEth => abi::sellTokenForEthCall::SIGNATURE,
            Self::TransmitAndSellTokenForEth => abi::transmitAndSellTokenForEthCall::SIGNATURE,
        }
    }

    /// The first four bytes of the calldata.
    pub const fn selector(self) -> [u8; 4] {
        match self {
            Self::Swap => abi::swapCall::SELECTOR,
            Self::TransmitAndSwap => abi::transmitAndSwapCall::SELECTOR,
            Self::SellEthForToken => abi::sellEthForTokenCall::SELECTOR,
            Self::SellTokenForEth => abi::sellTokenForEthCall::SELECTOR,
            Self::TransmitAndSellTokenForEth => abi::transmitAndSellTokenForEthCall::SELECTOR,
        }
    }

    /// Whether the input is native coin, sent as the value of the transaction. The other functions accept no value.
    pub const fn is_payable(self) -> bool {
        matches!(self, Self::SellEthForToken)
    }

    /// Whether the arguments contain the input token; otherwise it is wrapped native.
    pub const fn names_input_token(self) -> bool {
        !matches!(self, Self::SellEthForToken)
    }

    /// Whether the arguments contain the output token; otherwise it is wrapped native.
    pub const fn names_output_token(self) -> bool {
        !matches!(self, Self::SellTokenForEth | Self::TransmitAndSellTokenForEth)
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::keccak256;

    use super::*;

    const BOTH: &str = "(address,address,uint256,uint256,uint256,address,(uint8,bytes32,bytes32),bytes)";
    const ONE: &str = "(address,uint256,uint256,uint256,address,(uint8,bytes32,bytes32),bytes)";

    #[test]
    fn each_function_has_its_name_arguments_and_selector() {
        let cases = [
            (SwapFunction::Swap, "swap", BOTH, true, true),
            (SwapFunction::TransmitAndSwap, "transmitAndSwap", BOTH, true, true),
            (SwapFunction::SellEthForToken, "sellEthForToken", ONE, false, true),
            (SwapFunction::SellTokenForEth, "sellTokenForEth", ONE, true, false),
            (SwapFunction::TransmitAndSellTokenForEth, "transmitAndSellTokenForEth", ONE, true, false),
        ];
        assert_eq!(cases.map(|case| case.0), SwapFunction::ALL);
        for (function, name, arguments, names_input, names_output) in cases {
            let signature = format!("{name}{arguments}");
            assert_eq!(function.name(), name);
            assert_eq!(function.signature(), signature);
            assert_eq!(function.selector(), keccak256(signature)[..4]);
            assert_eq!(SwapFunction::from_selector(function.selector()), Some(function));
            assert_eq!((function.names_input_token(), function.names_output_token()), (names_input, names_output));
            assert_eq!(function.is_payable(), function == SwapFunction::SellEthForToken);
        }
        assert_eq!(SwapFunction::Swap.selector(), [0x2b, 0x65, 0x1a, 0x6c]);
        assert_eq!(SwapFunction::SellEthForToken.selector(), [0x27, 0xa9, 0xb4, 0x24]);
        assert_eq!(SwapFunction::from_selector([0; 4]), None);
    }

    #[test]
    fn native_side_and_transmit_determine_the_function() {
        for (native, transmit, function) in [
            (NativeSide::Neither, false, SwapFunction::Swap),
            (NativeSide::Neither, true, SwapFunction::TransmitAndSwap),
            (NativeSide::Input, false, SwapFunction::SellEthForToken),
            (NativeSide::Input, true, SwapFunction::SellEthForToken),
            (NativeSide::Output, false, SwapFunction::SellTokenForEth),
            (NativeSide::Output, true, SwapFunction::TransmitAndSellTokenForEth),
        ] {
            assert_eq!(SwapFunction::new(native, transmit), function, "{native:?}, {transmit}");
        }
    }
}
