// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title The faucet of the test chain
 * @notice One claim puts test tokens into the claimer's account on the exchange, through the vault, and a little native
 * coin into its wallet. What a stolen operator key could take is bounded by the claims of one day.
 */
interface IFaucet {
    /// @notice What one claim pays of one token.
    struct Grant {
        address token;
        uint256 amount;
    }

    /// @notice A claim was paid. `gasSent` is false when the account is a contract that takes no native coin.
    event Claimed(bytes32 indexed claimId, address indexed account, uint256 gasAmount, bool gasSent);
    /// @notice What a claim pays was set.
    event GrantsSet(Grant[] grants, uint256 gasAmount);
    /// @notice How many claims one day allows was set.
    event DailyClaimsSet(uint256 dailyClaims);

    /// @notice The claim was paid before.
    error ClaimUsed(bytes32 claimId);
    /// @notice This account claimed less than 24 hours ago.
    error ClaimTooSoon(address account, uint256 allowedAt);
    /// @notice The claims of this UTC day are used up.
    error DailyClaimsUsed(uint256 dailyClaims);
    /// @notice The faucet has too little native coin for one claim.
    error FaucetEmpty(uint256 needed, uint256 available);

    /**
     * @notice Pays one claim: the granted tokens into the account on the exchange, the gas money into the wallet.
     * @param account Who claims.
     * @param claimId Can be used once only.
     */
    function claim(address account, bytes32 claimId) external;

    /// @notice Sets what a claim pays. Native coin goes to the exchange under the address of its wrapped token.
    function setGrants(Grant[] calldata grants, uint256 gasAmount) external;

    /// @notice Sets how many claims one UTC day allows.
    function setDailyClaims(uint256 dailyClaims) external;

    /// @notice What a claim pays.
    function grants() external view returns (Grant[] memory);

    /// @notice The native coin a claim sends to the wallet.
    function gasAmount() external view returns (uint256);

    /// @notice How many claims one UTC day allows.
    function dailyClaims() external view returns (uint256);

    /// @notice How many claims were paid on the given day, counted in days since 1970.
    function claimsOn(uint256 day) external view returns (uint256);

    /// @notice From when on the account may claim again.
    function claimableAt(address account) external view returns (uint256);

    /// @notice True when the claim was paid.
    function claimed(bytes32 claimId) external view returns (bool);
}
