// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title The vault of the exchange
 * @notice Money enters by a deposit, which credits the recipient on the exchange, and leaves only by a withdrawal that
 * an operator has signed. The vault keeps no balances of people: those are the exchange's ledger. It keeps the money,
 * and bounds what a stolen operator key could take: every withdrawal id pays once, and each asset has an hourly and a
 * daily cap that holds over every window of that length.
 */
interface IExchangeVault {
    /// @notice A token that can be deposited.
    struct Asset {
        /// Counted from 1 in the order of creation; 0 when the token is not listed.
        uint32 id;
        uint8 decimals;
        /// Upper-case code such as `USDC`, padded with zeros.
        bytes32 code;
    }

    /// @notice Two listed assets that trade against each other.
    struct Pair {
        address base;
        address quote;
    }

    /// @notice The most of one asset that can leave within any hour and within any day.
    struct OutflowCaps {
        uint208 hourly;
        uint208 daily;
    }

    /// @notice What the operator signs (EIP-712). The domain adds the chain and this vault.
    struct Withdrawal {
        /// Can be used once only.
        bytes32 id;
        /// A listed token, or `NATIVE()` to be paid in the chain's own coin.
        address token;
        address to;
        uint256 amount;
        /// The last second at which the withdrawal can be paid.
        uint256 deadline;
    }

    /// @notice An account of the exchange was given its id.
    event UserCreated(uint64 indexed userId, address indexed account);
    /// @notice A token can be deposited from now on.
    event AssetCreated(uint32 indexed assetId, address indexed token, bytes32 code, uint8 decimals);
    /// @notice A trading pair was created.
    event PairCreated(uint32 indexed pairId, address indexed base, address indexed quote);
    /// @notice `amount` of `token` arrived for `account`. Native coin is reported as its wrapped token.
    event Deposited(
        uint64 indexed userId, address indexed account, address indexed token, address payer, uint256 amount
    );
    /// @notice The withdrawal `id` can be paid from `releasableAt` on, unless a pauser cancels it.
    event Requested(
        bytes32 indexed id, address indexed token, address indexed to, uint256 amount, uint256 deadline, uint256 releasableAt
    );
    /// @notice The withdrawal `id` will never be paid.
    event Cancelled(bytes32 indexed id);
    /// @notice The withdrawal `id` was paid.
    event Released(bytes32 indexed id, address indexed token, address indexed to, uint256 amount);
    /// @notice The outflow caps of `token` were set.
    event OutflowCapsSet(address indexed token, uint208 hourly, uint208 daily);

    /// @notice The token is listed already.
    error AssetExists(address token);
    /// @notice Another token is listed under this code.
    error CodeTaken(bytes32 code);
    /// @notice The code is empty.
    error EmptyCode();
    /// @notice The token is not listed.
    error UnknownAsset(address token);
    /// @notice The token says it has other decimals than it was to be listed with.
    error DecimalsMismatch(address token, uint8 expected, uint8 actual);
    /// @notice The two assets are paired already, in this order or the other.
    error PairExists(address base, address quote);
    /// @notice An asset can not be paired with itself.
    error PairOfOne(address token);
    /// @notice Nothing arrived.
    error ZeroAmount();
    /// @notice This address can be neither credited nor paid: zero, the vault, or a listed token.
    error RefusedRecipient(address recipient);
    /// @notice The withdrawal's deadline has passed.
    error DeadlinePassed(uint256 deadline);
    /// @notice The withdrawal was paid before.
    error WithdrawalUsed(bytes32 id);
    /// @notice The withdrawal was not requested as it is now signed.
    error WithdrawalNotRequested(bytes32 id);
    /// @notice The same withdrawal was requested before.
    error WithdrawalRequested(bytes32 id);
    /// @notice The withdrawal can be disputed until `releasableAt`.
    error DisputeOpen(bytes32 id, uint256 releasableAt);
    /// @notice A pauser cancelled the withdrawal.
    error WithdrawalCancelled(bytes32 id);
    /// @notice A dispute delay of more than a day.
    error DelayTooLong(uint256 delay);
    /// @notice Who signed is not an operator.
    error SignerNotOperator(address signer);
    /// @notice The amount is more than the caps leave at this time.
    error OutflowCapExceeded(address token, uint256 amount, uint256 available);
    /// @notice The token took another amount from the vault than was to be paid.
    error OutflowMismatch(address token, uint256 expected, uint256 actual);
    /// @notice The recipient did not take the native coin.
    error NativeTransferFailed(address to, uint256 amount);
    /// @notice Native coin enters by `depositNative` only.
    error UnexpectedNative(address from);

    /**
     * @notice Lists a token.
     * @param token An ERC-20 contract.
     * @param code Upper-case code, unique.
     * @param decimals The token's decimals, compared with what it says itself.
     * @param caps The first outflow caps.
     * @return assetId Counted from 1.
     */
    function createAsset(address token, bytes32 code, uint8 decimals, OutflowCaps calldata caps)
        external
        returns (uint32 assetId);

    /**
     * @notice Creates a trading pair of two listed tokens.
     * @return pairId Counted from 1.
     */
    function createPair(address base, address quote) external returns (uint32 pairId);

    /// @notice Sets the outflow caps of a listed token. What has left already still counts.
    function setOutflowCaps(address token, OutflowCaps calldata caps) external;

    /**
     * @notice Takes `amount` of a listed token from the caller and credits `recipient` with what really arrived.
     * @return userId The recipient's id, given at the first deposit.
     */
    function depositERC20(address token, uint256 amount, address recipient) external returns (uint64 userId);

    /**
     * @notice Credits `recipient` with the native coin sent along. The vault holds it wrapped.
     * @return userId The recipient's id, given at the first deposit.
     */
    function depositNative(address recipient) external payable returns (uint64 userId);

    /**
     * @notice Announces a withdrawal: it can be paid when the dispute delay is over. Anyone may send it; the signature alone
     * decides. The same id may be requested again with another deadline, and then waits again.
     */
    function request(Withdrawal calldata withdrawal, bytes calldata signature) external;

    /// @notice Makes a withdrawal impossible, requested or not. For pausers.
    function cancel(bytes32 id) external;

    /**
     * @notice Pays a withdrawal, after its request and the dispute delay, where there is one.
     * Anyone may send it; the signature alone decides.
     * @param withdrawal What was signed.
     * @param signature 65 bytes by an operator, with the low `s`.
     */
    function release(Withdrawal calldata withdrawal, bytes calldata signature) external;

    /// @notice Stops deposits and withdrawals.
    function pause() external;

    /// @notice Lets deposits and withdrawals go on.
    function unpause() external;

    /// @notice The id of an account of the exchange, counted from 1; 0 when it has none yet.
    function getUserId(address account) external view returns (uint64);

    /// @notice How many accounts have an id.
    function userCount() external view returns (uint64);

    /// @notice A listed asset; all zero when `token` is not listed.
    function asset(address token) external view returns (Asset memory);

    /// @notice The token of an asset id; zero when there is none.
    function assetToken(uint32 assetId) external view returns (address);

    /// @notice How many assets are listed.
    function assetCount() external view returns (uint32);

    /// @notice The id of a pair; 0 when there is none.
    function getPairId(address base, address quote) external view returns (uint32);

    /// @notice A pair by its id; all zero when there is none.
    function pair(uint32 pairId) external view returns (Pair memory);

    /// @notice How many pairs there are.
    function pairCount() external view returns (uint32);

    /// @notice The outflow caps of a token.
    function outflowCaps(address token) external view returns (OutflowCaps memory);

    /// @notice What the caps of a token leave at this time.
    function outflowAvailable(address token) external view returns (uint256);

    /// @notice Seconds from a request to the payout, at least; 0: withdrawals are paid without a request.
    function disputeDelay() external view returns (uint256);

    /// @notice From when on the withdrawal `id` can be paid; 0 when it was not requested.
    function releasableAt(bytes32 id) external view returns (uint256);

    /// @notice True when a pauser has cancelled the withdrawal `id`.
    function cancelled(bytes32 id) external view returns (bool);

    /// @notice True when the withdrawal `id` was paid.
    function used(bytes32 id) external view returns (bool);

    /// @notice The EIP-712 digest an operator signs.
    function withdrawalDigest(Withdrawal calldata withdrawal) external view returns (bytes32);

    /// @notice Stands for the chain's own coin in a withdrawal.
    function NATIVE() external view returns (address);
}
