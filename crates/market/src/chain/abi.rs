//! The functions that are asked of contracts, as Solidity writes them.

use alloy_sol_types::sol;

sol! {
    interface SwapPool {
        function allTokensBalance() view returns (uint256[] balances, address[] tokens, uint256 totalSupply);
        function DESIGNATED_SIGNER() view returns (address);
        function WRAPPER_CONTRACT() view returns (address);
    }

    interface Token {
        function decimals() view returns (uint8);
    }
}
