// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {RateLimiter} from "@openzeppelin/contracts/utils/RateLimiter.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IExchangeVault} from "./IExchangeVault.sol";
import {IWrappedNative} from "./IWrappedNative.sol";

/// @title The vault of the exchange
/// @dev Not upgradeable. In production the default admin is a timelock, and no two roles share a key.
contract ExchangeVault is IExchangeVault, AccessControl, Pausable, ReentrancyGuardTransient, EIP712 {
    using RateLimiter for RateLimiter.SlidingWindow;
    using SafeERC20 for IERC20;

    /// @notice Signs withdrawals.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @notice Can stop everything, and nothing more.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    /// @notice Lists assets and creates pairs.
    bytes32 public constant LISTER_ROLE = keccak256("LISTER_ROLE");

    /// @inheritdoc IExchangeVault
    address public constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    bytes32 private constant WITHDRAWAL_TYPEHASH =
        keccak256("Withdrawal(bytes32 id,address token,address to,uint256 amount,uint256 deadline)");

    /// @dev Each asset has limiters of its own, because each has its own caps; so a limiter needs one entry only.
    bytes32 private constant ENTRY = bytes32(0);

    struct Listing {
        Asset asset;
        RateLimiter.SlidingWindow hourly;
        RateLimiter.SlidingWindow daily;
    }

    struct Request {
        /// What was signed.
        bytes32 digest;
        uint256 releasableAt;
    }

    /// @notice The token in which the vault holds the native coin.
    IWrappedNative public immutable wrappedNative;

    uint32 public assetCount;
    uint32 public pairCount;
    uint64 public userCount;

    mapping(address token => Listing) private _listings;
    mapping(uint32 assetId => address) public assetToken;
    mapping(bytes32 code => address) private _tokenOfCode;
    mapping(uint32 pairId => Pair) private _pairs;
    mapping(address base => mapping(address quote => uint32)) private _pairIds;
    mapping(address account => uint64) private _userIds;

    /// @inheritdoc IExchangeVault
    mapping(bytes32 id => bool) public used;

    /// @inheritdoc IExchangeVault
    mapping(bytes32 id => bool) public cancelled;

    /// @inheritdoc IExchangeVault
    uint256 public immutable disputeDelay;

    mapping(bytes32 id => Request) private _requests;

    /// @param admin Grants the roles, sets caps, ends a pause.
    /// @param wrappedNative_ The wrapped form of the native coin.
    /// @param disputeDelay_ Seconds from a request to the payout, at most a day.
    constructor(address admin, IWrappedNative wrappedNative_, uint256 disputeDelay_) EIP712("Orrery Vault", "1") {
        require(disputeDelay_ <= 1 days, DelayTooLong(disputeDelay_));
        wrappedNative = wrappedNative_;
        disputeDelay = disputeDelay_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @dev Only unwrapping may send native coin here; from anyone else it would be lost to its sender.
    receive() external payable {
        require(msg.sender == address(wrappedNative), UnexpectedNative(msg.sender));
    }

    // ---- listing ---------------------------------------------------------------------------------------------------

    /// @inheritdoc IExchangeVault
    function createAsset(address token, bytes32 code, uint8 decimals, OutflowCaps calldata caps)
        external
        onlyRole(LISTER_ROLE)
        returns (uint32 assetId)
    {
        require(code != bytes32(0), EmptyCode());
        require(_listings[token].asset.id == 0, AssetExists(token));
        require(_tokenOfCode[code] == address(0), CodeTaken(code));
        uint8 actual = IERC20Metadata(token).decimals();
        require(actual == decimals, DecimalsMismatch(token, decimals, actual));

        assetId = ++assetCount;
        _listings[token].asset = Asset({id: assetId, decimals: decimals, code: code});
        assetToken[assetId] = token;
        _tokenOfCode[code] = token;
        emit AssetCreated(assetId, token, code, decimals);
        _setOutflowCaps(token, caps);
    }

    /// @inheritdoc IExchangeVault
    function createPair(address base, address quote) external onlyRole(LISTER_ROLE) returns (uint32 pairId) {
        require(base != quote, PairOfOne(base));
        _requireListed(base);
        _requireListed(quote);
        require(_pairIds[base][quote] == 0 && _pairIds[quote][base] == 0, PairExists(base, quote));

        pairId = ++pairCount;
        _pairs[pairId] = Pair({base: base, quote: quote});
        _pairIds[base][quote] = pairId;
        emit PairCreated(pairId, base, quote);
    }

    /// @inheritdoc IExchangeVault
    function setOutflowCaps(address token, OutflowCaps calldata caps) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireListed(token);
        _setOutflowCaps(token, caps);
    }

    // ---- money in --------------------------------------------------------------------------------------------------

    /// @inheritdoc IExchangeVault
    function depositERC20(address token, uint256 amount, address recipient)
        external
        nonReentrant
        whenNotPaused
        returns (uint64)
    {
        _requireListed(token);
        // A token may take a fee on the way: only what arrived can be credited.
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        return _credit(token, recipient, IERC20(token).balanceOf(address(this)) - before);
    }

    /// @inheritdoc IExchangeVault
    function depositNative(address recipient) external payable nonReentrant whenNotPaused returns (uint64) {
        address token = address(wrappedNative);
        _requireListed(token);
        wrappedNative.deposit{value: msg.value}();
        return _credit(token, recipient, msg.value);
    }

    // ---- money out -------------------------------------------------------------------------------------------------

    /// @inheritdoc IExchangeVault
    function request(Withdrawal calldata withdrawal, bytes calldata signature) external whenNotPaused {
        (, bytes32 digest) = _requirePayable(withdrawal, signature);
        require(_requests[withdrawal.id].digest != digest, WithdrawalRequested(withdrawal.id));
        uint256 from = block.timestamp + disputeDelay;
        _requests[withdrawal.id] = Request({digest: digest, releasableAt: from});
        emit Requested(
            withdrawal.id, withdrawal.token, withdrawal.to, withdrawal.amount, withdrawal.deadline, from
        );
    }

    /// @inheritdoc IExchangeVault
    function cancel(bytes32 id) external onlyRole(PAUSER_ROLE) {
        require(!used[id], WithdrawalUsed(id));
        cancelled[id] = true;
        emit Cancelled(id);
    }

    /// @inheritdoc IExchangeVault
    function release(Withdrawal calldata withdrawal, bytes calldata signature) external nonReentrant whenNotPaused {
        (address token, bytes32 digest) = _requirePayable(withdrawal, signature);
        _requireUndisputed(withdrawal.id, digest);
        bool paysNative = withdrawal.token == NATIVE;

        used[withdrawal.id] = true;
        _consumeOutflow(token, withdrawal.amount);
        emit Released(withdrawal.id, withdrawal.token, withdrawal.to, withdrawal.amount);

        uint256 before = IERC20(token).balanceOf(address(this));
        if (paysNative) {
            wrappedNative.withdraw(withdrawal.amount);
            (bool taken,) = withdrawal.to.call{value: withdrawal.amount}("");
            require(taken, NativeTransferFailed(withdrawal.to, withdrawal.amount));
        } else {
            IERC20(token).safeTransfer(withdrawal.to, withdrawal.amount);
        }
        uint256 paid = before - IERC20(token).balanceOf(address(this));
        require(paid == withdrawal.amount, OutflowMismatch(token, withdrawal.amount, paid));
    }

    /// @inheritdoc IExchangeVault
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// @inheritdoc IExchangeVault
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    // ---- reads -----------------------------------------------------------------------------------------------------

    /// @inheritdoc IExchangeVault
    function releasableAt(bytes32 id) external view returns (uint256) {
        return _requests[id].releasableAt;
    }

    /// @inheritdoc IExchangeVault
    function getUserId(address account) external view returns (uint64) {
        return _userIds[account];
    }

    /// @inheritdoc IExchangeVault
    function asset(address token) external view returns (Asset memory) {
        return _listings[token].asset;
    }

    /// @inheritdoc IExchangeVault
    function getPairId(address base, address quote) external view returns (uint32) {
        return _pairIds[base][quote];
    }

    /// @inheritdoc IExchangeVault
    function pair(uint32 pairId) external view returns (Pair memory) {
        return _pairs[pairId];
    }

    /// @inheritdoc IExchangeVault
    function outflowCaps(address token) external view returns (OutflowCaps memory) {
        Listing storage listing = _listings[token];
        return OutflowCaps({hourly: listing.hourly._limit, daily: listing.daily._limit});
    }

    /// @inheritdoc IExchangeVault
    function outflowAvailable(address token) public view returns (uint256) {
        Listing storage listing = _listings[token];
        return Math.min(listing.hourly.available(ENTRY), listing.daily.available(ENTRY));
    }

    /// @inheritdoc IExchangeVault
    function withdrawalDigest(Withdrawal calldata withdrawal) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    WITHDRAWAL_TYPEHASH,
                    withdrawal.id,
                    withdrawal.token,
                    withdrawal.to,
                    withdrawal.amount,
                    withdrawal.deadline
                )
            )
        );
    }

    // ---- inside ----------------------------------------------------------------------------------------------------

    function _credit(address token, address recipient, uint256 amount) private returns (uint64 userId) {
        require(amount > 0, ZeroAmount());
        _requireRecipient(recipient);
        userId = _userIds[recipient];
        if (userId == 0) {
            userId = ++userCount;
            _userIds[recipient] = userId;
            emit UserCreated(userId, recipient);
        }
        emit Deposited(userId, recipient, token, msg.sender, amount);
    }

    /// @return token What the vault pays from. @return digest What was signed.
    function _requirePayable(Withdrawal calldata withdrawal, bytes calldata signature)
        private
        view
        returns (address token, bytes32 digest)
    {
        require(block.timestamp <= withdrawal.deadline, DeadlinePassed(withdrawal.deadline));
        require(!used[withdrawal.id], WithdrawalUsed(withdrawal.id));
        require(!cancelled[withdrawal.id], WithdrawalCancelled(withdrawal.id));
        require(withdrawal.amount > 0, ZeroAmount());
        _requireRecipient(withdrawal.to);
        token = withdrawal.token == NATIVE ? address(wrappedNative) : withdrawal.token;
        _requireListed(token);
        digest = withdrawalDigest(withdrawal);
        address signer = ECDSA.recover(digest, signature);
        require(hasRole(OPERATOR_ROLE, signer), SignerNotOperator(signer));
    }

    /// @dev What is paid is exactly what was announced: one field changed is another digest.
    function _requireUndisputed(bytes32 id, bytes32 digest) private view {
        if (disputeDelay == 0) return;
        Request storage requested = _requests[id];
        require(requested.digest == digest, WithdrawalNotRequested(id));
        require(block.timestamp >= requested.releasableAt, DisputeOpen(id, requested.releasableAt));
    }

    function _consumeOutflow(address token, uint256 amount) private {
        Listing storage listing = _listings[token];
        bool within = listing.hourly.tryConsume(ENTRY, amount) && listing.daily.tryConsume(ENTRY, amount);
        // The revert takes back what the first limiter may have counted.
        require(within, OutflowCapExceeded(token, amount, outflowAvailable(token)));
    }

    function _setOutflowCaps(address token, OutflowCaps calldata caps) private {
        Listing storage listing = _listings[token];
        listing.hourly.updateSettings(1 hours, caps.hourly);
        listing.daily.updateSettings(1 days, caps.daily);
        emit OutflowCapsSet(token, caps.hourly, caps.daily);
    }

    function _requireListed(address token) private view {
        require(_listings[token].asset.id != 0, UnknownAsset(token));
    }

    function _requireRecipient(address recipient) private view {
        bool refused = recipient == address(0) || recipient == address(this) || recipient == NATIVE
            || _listings[recipient].asset.id != 0;
        require(!refused, RefusedRecipient(recipient));
    }
}
