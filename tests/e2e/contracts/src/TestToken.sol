// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that anyone can mint
/// @notice For tests only.
contract TestToken is ERC20 {
    uint8 private immutable _decimals;

    constructor(string memory tokenName, string memory tokenSymbol, uint8 tokenDecimals)
        ERC20(tokenName, tokenSymbol)
    {
        _decimals = tokenDecimals;
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
