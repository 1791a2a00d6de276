// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IExchangeVault} from "./IExchangeVault.sol";
import {IFaucet} from "./IFaucet.sol";
import {TestToken} from "./TestToken.sol";

/// @title The faucet of the test chain
/// @dev Mints the test tokens it pays; the native coin it pays must be sent to it.
contract Faucet is IFaucet, AccessControl, ReentrancyGuardTransient {
    /// @notice May pay claims.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    uint256 private constant WAIT = 24 hours;
    /// @dev Enough for a wallet contract that emits an event, too little to do mischief with.
    uint256 private constant GAS_STIPEND = 50_000;

    IExchangeVault public immutable vault;
    address public immutable wrappedNative;

    /// @inheritdoc IFaucet
    uint256 public gasAmount;
    /// @inheritdoc IFaucet
    uint256 public dailyClaims;
    /// @inheritdoc IFaucet
    mapping(uint256 day => uint256) public claimsOn;
    /// @inheritdoc IFaucet
    mapping(address account => uint256) public claimableAt;
    /// @inheritdoc IFaucet
    mapping(bytes32 claimId => bool) public claimed;

    Grant[] private _grants;

    constructor(address admin, IExchangeVault vault_, address wrappedNative_) {
        vault = vault_;
        wrappedNative = wrappedNative_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @notice Takes the native coin that claims will pay.
    receive() external payable {}

    /// @inheritdoc IFaucet
    function claim(address account, bytes32 claimId) external nonReentrant onlyRole(OPERATOR_ROLE) {
        require(!claimed[claimId], ClaimUsed(claimId));
        require(block.timestamp >= claimableAt[account], ClaimTooSoon(account, claimableAt[account]));
        uint256 day = block.timestamp / 1 days;
        require(claimsOn[day] < dailyClaims, DailyClaimsUsed(dailyClaims));

        claimed[claimId] = true;
        claimableAt[account] = block.timestamp + WAIT;
        ++claimsOn[day];
        for (uint256 i = 0; i < _grants.length; ++i) {
            _deposit(_grants[i], account);
        }
        require(address(this).balance >= gasAmount, FaucetEmpty(gasAmount, address(this).balance));
        (bool gasSent,) = account.call{value: gasAmount, gas: GAS_STIPEND}("");
        emit Claimed(claimId, account, gasAmount, gasSent);
    }

    /// @inheritdoc IFaucet
    function setGrants(Grant[] calldata grants_, uint256 gasAmount_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        delete _grants;
        for (uint256 i = 0; i < grants_.length; ++i) {
            _grants.push(grants_[i]);
        }
        gasAmount = gasAmount_;
        emit GrantsSet(grants_, gasAmount_);
    }

    /// @inheritdoc IFaucet
    function setDailyClaims(uint256 dailyClaims_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        dailyClaims = dailyClaims_;
        emit DailyClaimsSet(dailyClaims_);
    }

    /// @inheritdoc IFaucet
    function grants() external view returns (Grant[] memory) {
        return _grants;
    }

    function _deposit(Grant storage grant, address account) private {
        if (grant.token == wrappedNative) {
            require(address(this).balance >= grant.amount, FaucetEmpty(grant.amount, address(this).balance));
            vault.depositNative{value: grant.amount}(account);
        } else {
            TestToken token = TestToken(grant.token);
            token.mint(address(this), grant.amount);
            token.approve(address(vault), grant.amount);
            vault.depositERC20(address(token), grant.amount, account);
        }
    }
}
