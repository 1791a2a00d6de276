// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ExchangeVault} from "../solidity/ExchangeVault.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @title A withdrawal is announced, and can be disputed before it is paid
contract DisputeTest is VaultTest {
    uint256 internal constant DELAY = 120;

    function setUp() public override {
        super.setUp();
        vault = new ExchangeVault(admin, wsoso, DELAY);
        vault.grantRole(vault.OPERATOR_ROLE(), operator);
        vault.grantRole(vault.PAUSER_ROLE(), bob);
        vault.grantRole(vault.LISTER_ROLE(), admin);
        vault.createAsset(address(usdc), "USDC", 6, caps(HOURLY, DAILY));
        deposit(alice, 10_000e6);
    }

    function test_a_withdrawal_that_was_not_requested_is_not_paid() public {
        IExchangeVault.Withdrawal memory order = withdrawal("theft", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalNotRequested.selector, bytes32("theft")));
        vault.release(order, signature);
    }

    function testFuzz_a_withdrawal_is_paid_after_the_delay_and_not_before(uint256 early) public {
        early = bound(early, 1, DELAY);
        IExchangeVault.Withdrawal memory order = withdrawal("id", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        uint256 from = block.timestamp + DELAY;
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Requested("id", address(usdc), bob, 5, order.deadline, from);
        vault.request(order, signature);
        assertEq(vault.releasableAt("id"), from, "releasable");
        vm.warp(from - early);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.DisputeOpen.selector, bytes32("id"), from));
        vault.release(order, signature);
        vm.warp(from);
        vault.release(order, signature);
        assertEq(usdc.balanceOf(bob), 5, "bob");
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalUsed.selector, bytes32("id")));
        vault.request(order, signature);
    }

    function test_what_is_paid_is_what_was_requested() public {
        IExchangeVault.Withdrawal memory order = withdrawal("id", address(usdc), bob, 5);
        vault.request(order, sign(order));
        vm.warp(block.timestamp + DELAY);
        order.amount = 6;
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalNotRequested.selector, bytes32("id")));
        vault.release(order, signature);
    }

    function test_a_request_with_another_deadline_waits_again() public {
        IExchangeVault.Withdrawal memory order = withdrawal("id", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vault.request(order, signature);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalRequested.selector, bytes32("id")));
        vault.request(order, signature);
        vm.warp(block.timestamp + DELAY);
        order.deadline += 1;
        signature = sign(order);
        vault.request(order, signature);
        vm.expectRevert(
            abi.encodeWithSelector(IExchangeVault.DisputeOpen.selector, bytes32("id"), block.timestamp + DELAY)
        );
        vault.release(order, signature);
    }

    function test_a_pauser_cancels_within_the_delay_and_nobody_else_does() public {
        IExchangeVault.Withdrawal memory order = withdrawal("id", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vault.request(order, signature);
        bytes32 role = vault.PAUSER_ROLE();
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, operator, role)
        );
        vault.cancel("id");
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Cancelled("id");
        vm.prank(bob);
        vault.cancel("id");
        assertTrue(vault.cancelled("id"), "cancelled");
        vm.warp(block.timestamp + DELAY);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalCancelled.selector, bytes32("id")));
        vault.release(order, signature);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalCancelled.selector, bytes32("id")));
        vault.request(order, signature);
    }

    function test_a_request_takes_the_same_signature_as_a_release() public {
        IExchangeVault.Withdrawal memory order = withdrawal("id", address(usdc), bob, 5);
        bytes memory signature = signWith(0xB0B, order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.SignerNotOperator.selector, vm.addr(0xB0B)));
        vault.request(order, signature);
    }

    function test_a_delay_of_more_than_a_day_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.DelayTooLong.selector, 1 days + 1));
        new ExchangeVault(admin, wsoso, 1 days + 1);
    }
}
