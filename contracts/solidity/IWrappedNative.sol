// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The chain's own coin as an ERC-20 token, one to one
interface IWrappedNative is IERC20 {
    /// @notice Native coin became wrapped.
    event Deposit(address indexed account, uint256 amount);
    /// @notice Wrapped coin became native.
    event Withdrawal(address indexed account, uint256 amount);

    /// @notice The caller did not take the native coin.
    error UnwrapFailed(address account, uint256 amount);

    /// @notice Wraps the native coin sent along.
    function deposit() external payable;

    /// @notice Burns `amount` of the caller's tokens and pays it the same in native coin.
    function withdraw(uint256 amount) external;
}
