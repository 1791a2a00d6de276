// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";

/// @dev Mints to anyone; the zoo below misbehaves on top of it.
abstract contract ZooToken is ERC20("Zoo", "ZOO") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// @dev Takes one percent on the way.
contract FeeOnTransfer is ZooToken {
    function _update(address from, address to, uint256 amount) internal override {
        uint256 fee = from == address(0) || to == address(0) ? 0 : amount / 100;
        if (fee > 0) super._update(from, address(0xFEE), fee);
        super._update(from, to, amount - fee);
    }
}

/// @dev Takes one percent more from the sender than was sent.
contract Greedy is ZooToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(from, address(0xFEE), amount / 100 + 1);
    }
}

/// @dev Says that it moved the money, and did not.
contract Liar is ZooToken {
    function transfer(address, uint256) public pure override returns (bool) {
        return true;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return true;
    }
}

/// @dev Answers false in place of a revert.
contract Refuser is ZooToken {
    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @dev Refuses some addresses.
contract Blocklisting is ZooToken {
    mapping(address account => bool) public blocked;

    error Blocked(address account);

    function block_(address account) external {
        blocked[account] = true;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!blocked[from], Blocked(from));
        require(!blocked[to], Blocked(to));
        super._update(from, to, amount);
    }
}

/// @dev Calls back into the vault in the middle of every transfer, as a token with hooks lets its holder do.
contract Reentrant is ZooToken {
    address private _target;
    bytes private _payload;
    bytes public lastReason;
    bool public entered;

    function arm(address target, bytes calldata payload) external {
        _target = target;
        _payload = payload;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (_target == address(0)) return;
        (entered, lastReason) = _target.call(_payload);
    }
}

/// @dev Returns nothing from transfer and transferFrom, as the oldest tokens do.
contract NonBool {
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint8 public constant decimals = 18;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Has no code any more after `destroy`, as seen by a later transaction; here it just reverts everything.
contract Broken is ZooToken {
    bool private _broken;

    error IsBroken();

    function destroy() external {
        _broken = true;
    }

    function balanceOf(address account) public view override returns (uint256) {
        require(!_broken, IsBroken());
        return super.balanceOf(account);
    }
}
