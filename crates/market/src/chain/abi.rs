//! The contract functions that are called, in Solidity.

use alloy_sol_types::sol;

sol! {
    interface SwapPool {
        function allTokensBalance() view returns (uint256[] balances, address[] tokens, uint256 totalSupply);
        function DESIGNATED_SIGNER() view returns (address);
        function WRAPPER_CONTRACT() view returns (address);
    }

    interface VerifyingPool {
        function unpackGoodUntil(uint256 packed) pure returns (uint256, uint256, uint256, uint256, uint256);
    }

    interface SingleUsePool {
        function usedDigest(bytes32 digest) view returns (bool);
    }

    interface DomainOwner {
        function eip712Domain() view returns (
            bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt,
            uint256[] extensions
        );
    }

    interface Token {
        function decimals() view returns (uint8);
    }
}
