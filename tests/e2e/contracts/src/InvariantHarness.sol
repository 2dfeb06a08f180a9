// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {SD59x18} from "@prb/math/src/SD59x18.sol";
import {Invariant} from "./Invariant.sol";

/// @title The steps of the invariant check as separate functions
/// @notice For tests only: for the bit-exact comparison with a mirror of the check in another language. Quantities are
/// already scaled to 18 decimals. Each function reverts where the library reverts.
contract InvariantHarness {
    function check(
        uint256 qX,
        uint256 qXAfter,
        uint256 pX,
        uint256 wX,
        uint256 qY,
        uint256 qYAfter,
        uint256 pY,
        uint256 wY,
        uint256 k
    ) external pure returns (bool) {
        Invariant.Side memory input =
            Invariant.Side({quantityBefore: qX, quantityAfter: qXAfter, price: pX, weight: wX});
        Invariant.Side memory output =
            Invariant.Side({quantityBefore: qY, quantityAfter: qYAfter, price: pY, weight: wY});
        return Invariant.grows(input, output, k);
    }

    function term(uint256 q, uint256 p, uint256 w, uint256 k) external pure returns (uint256) {
        return Invariant.term(q, p, w, k);
    }

    function pow(uint256 x, uint256 k) external pure returns (uint256) {
        return Invariant.pow(x, k);
    }

    function scale(uint256 amount, uint8 decimals) external pure returns (uint256) {
        return Invariant.scale(amount, decimals);
    }

    function log2(int256 x) external pure returns (int256) {
        return SD59x18.wrap(x).log2().unwrap();
    }

    function exp2(int256 x) external pure returns (int256) {
        return SD59x18.wrap(x).exp2().unwrap();
    }
}
