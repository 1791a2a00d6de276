// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IWrappedNative} from "./IWrappedNative.sol";

/// @title Wrapped SOSO
contract WSOSO is ERC20("Wrapped SOSO", "WSOSO"), IWrappedNative {
    receive() external payable {
        deposit();
    }

    /// @inheritdoc IWrappedNative
    function withdraw(uint256 amount) external {
        _burn(msg.sender, amount);
        emit Withdrawal(msg.sender, amount);
        (bool taken,) = msg.sender.call{value: amount}("");
        require(taken, UnwrapFailed(msg.sender, amount));
    }

    /// @inheritdoc IWrappedNative
    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }
}
