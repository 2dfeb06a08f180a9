//! The Solidity interface of a pool contract. These types are private to this crate.

use alloy_sol_types::{abi::AbiDecoderConfig, sol};

/// Accepts only the canonical encoding of each value: no trailing bytes, no other offsets, no dirty padding.
pub(crate) const STRICT: AbiDecoderConfig = AbiDecoderConfig::new().strict(true);

sol! {
    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    function swap(
        address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
        address destinationAddress, Signature theSignature, bytes auxiliaryData
    );

    function transmitAndSwap(
        address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
        address destinationAddress, Signature theSignature, bytes auxiliaryData
    );

    function sellEthForToken(
        address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
        address destinationAddress, Signature theSignature, bytes auxiliaryData
    ) payable;

    function sellTokenForEth(
        address inputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
        address destinationAddress, Signature theSignature, bytes auxiliaryData
    );

    function transmitAndSellTokenForEth(
        address inputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
        address destinationAddress, Signature theSignature, bytes auxiliaryData
    );

    event Swapped(
        address indexed inAsset, address indexed outAsset, address indexed recipient,
        uint256 inAmount, uint256 outAmount, bytes auxiliaryData
    );
}
