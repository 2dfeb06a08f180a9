// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// @title A price feed whose answers anyone can set
/// @notice For tests only. Has the two functions of Chainlink's AggregatorV3Interface that prices are read with.
contract MockAggregator {
    struct Round {
        uint80 roundId;
        int256 answer;
        uint256 startedAt;
        uint256 updatedAt;
        uint80 answeredInRound;
    }

    uint8 public decimals;
    Round public latestRoundData;

    function set(uint8 newDecimals, Round calldata round) external {
        decimals = newDecimals;
        latestRoundData = round;
    }
}
