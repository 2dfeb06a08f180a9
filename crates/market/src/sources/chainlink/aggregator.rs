//! The functions of a feed's contract, as Solidity writes them.

use alloy_sol_types::sol;

sol! {
    interface Aggregator {
        function decimals() view returns (uint8);
        function latestRoundData() view returns (
            uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
        );
    }
}
