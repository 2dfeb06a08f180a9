//! The functions that contracts are asked, as the tests know them.

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

    interface Aggregator {
        function latestRoundData() view returns (
            uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
        );
    }
}
