// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SD59x18} from "@prb/math/src/SD59x18.sol";

/// @title The fixed-point check of a packed offer
/// @notice The pair's invariant must strictly grow. Each token of the pair contributes
///
///     pq = p * q / 1e8        term = pq == 0 ? 0 : 1e18 * pq / pow(pq * w, k)
///
/// with quantities q in 18 decimals, prices p in 8, k in 18 and weights w plain. Every division truncates toward zero
/// and every operation is checked: where a number does not fit, the call reverts, it never wraps around.
library Invariant {
    uint256 internal constant PRICE_UNIT = 1e8;
    uint256 internal constant UNIT = 1e18;
    uint8 internal constant QUANTITY_DECIMALS = 18;

    /// @notice One token of the pair. Quantities are the pool's whole book of that token, scaled by {scale}.
    struct Side {
        uint256 quantityBefore;
        uint256 quantityAfter;
        uint256 price;
        uint256 weight;
    }

    /// @notice Whether the two terms together are strictly greater after the swap than before it.
    function grows(Side memory input, Side memory output, uint256 k) internal pure returns (bool) {
        uint256 sumBefore = term(input.quantityBefore, input.price, input.weight, k)
            + term(output.quantityBefore, output.price, output.weight, k);
        uint256 sumAfter = term(input.quantityAfter, input.price, input.weight, k)
            + term(output.quantityAfter, output.price, output.weight, k);
        return sumAfter > sumBefore;
    }

    /// @notice One token's part of the invariant. A zero weight under a value that is not zero divides by zero and
    /// reverts, as does a power that truncates to zero.
    function term(uint256 q, uint256 p, uint256 w, uint256 k) internal pure returns (uint256) {
        uint256 pq = p * q / PRICE_UNIT;
        return pq == 0 ? 0 : UNIT * pq / pow(pq * w, k);
    }

    /// @notice x to the power of k as exp2(k * log2(x) / 1e18), all in 18 decimals. pow(0, k) is 0, also for k = 0.
    /// The product and the division are signed; the division truncates toward zero, which for x below one is upward.
    function pow(uint256 x, uint256 k) internal pure returns (uint256) {
        if (x == 0) return 0;
        int256 logarithm = SD59x18.wrap(SafeCast.toInt256(x)).log2().unwrap();
        int256 exponent = SafeCast.toInt256(k) * logarithm / int256(UNIT);
        return SafeCast.toUint256(SD59x18.wrap(exponent).exp2().unwrap());
    }

    /// @notice Base units of a token with `decimals` decimals, in 18 decimals. Above 18 the excess digits are cut off.
    /// A balance is scaled as a whole: the quantity after a swap is scale(book + in) or scale(book - out), which can
    /// differ by one from scale(book) + scale(in) or scale(book) - scale(out) for a token of more than 18 decimals.
    function scale(uint256 amount, uint8 decimals) internal pure returns (uint256) {
        if (decimals <= QUANTITY_DECIMALS) return amount * 10 ** (QUANTITY_DECIMALS - decimals);
        return amount / 10 ** (decimals - QUANTITY_DECIMALS);
    }
}
