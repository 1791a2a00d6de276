// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The cheat codes of forge that our tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address);
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function getRecordedLogs() external returns (Log[] memory);
    function prank(address sender) external;
    function recordLogs() external;
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
}

/// @title The base of our contract tests
abstract contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    error NotEqual(uint256 actual, uint256 expected, string what);

    function assertEq(uint256 actual, uint256 expected, string memory what) internal pure {
        require(actual == expected, NotEqual(actual, expected, what));
    }

    function assertEq(address actual, address expected, string memory what) internal pure {
        require(actual == expected, NotEqual(uint160(actual), uint160(expected), what));
    }

    function assertTrue(bool condition, string memory what) internal pure {
        require(condition, what);
    }

    /// @dev Folds any number into [low, high].
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        uint256 span = high - low;
        return span == type(uint256).max ? value : low + (value % (span + 1));
    }
}
