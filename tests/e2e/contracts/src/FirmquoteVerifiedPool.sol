// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {FirmquotePool} from "./FirmquotePool.sol";

/// @title A pool that declares that it verifies packed offers
/// @notice {FirmquotePool} reads both forms of `good_until`. This one also has the function that
/// distinguishes deployed pools that verify from those that do not.
contract FirmquoteVerifiedPool is FirmquotePool {
    constructor(
        address designatedSigner,
        address wrapper,
        string memory domainName,
        string memory domainVersion,
        address[] memory tokens
    ) FirmquotePool(designatedSigner, wrapper, domainName, domainVersion, tokens) {}

    /// @notice The numbers of a packed `good_until`, without its seconds: prices with 8 decimals, `k` with 18.
    function unpackGoodUntil(uint256 packed)
        external
        pure
        returns (uint256 inputPrice, uint256 outputPrice, uint256 inputWeight, uint256 outputWeight, uint256 k)
    {
        return (packed >> 192, uint64(packed >> 128), uint16(packed >> 48), uint16(packed >> 32), uint64(packed >> 64));
    }
}
