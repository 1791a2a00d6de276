// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {
    Blocklisting,
    Broken,
    FeeOnTransfer,
    Greedy,
    Liar,
    NonBool,
    Reentrant,
    Refuser,
    ZooToken
} from "./HostileTokens.sol";
import {Vm} from "./Test.sol";
import {VaultTest} from "./VaultTest.sol";

/// @title Eight tokens that misbehave: none credits more than arrived, none takes more than was signed
contract HostileTokensTest is VaultTest {
    function test_a_fee_on_the_way_in_is_not_credited() public {
        FeeOnTransfer token = new FeeOnTransfer();
        list(address(token));
        vm.recordLogs();
        depositZoo(token, 1000);
        assertEq(depositedAmount(), 990, "credited");
        assertEq(token.balanceOf(address(vault)), 990, "held");
    }

    function test_a_fee_on_the_way_out_is_the_recipients_loss_not_the_vaults() public {
        FeeOnTransfer token = new FeeOnTransfer();
        list(address(token));
        depositZoo(token, 1000);
        IExchangeVault.Withdrawal memory order = withdrawal("fee", address(token), bob, 500);
        vault.release(order, sign(order));
        assertEq(token.balanceOf(bob), 495, "bob");
        assertEq(token.balanceOf(address(vault)), 490, "vault");
    }

    function test_a_token_that_takes_more_than_was_signed_pays_nothing() public {
        Greedy token = new Greedy();
        list(address(token));
        token.mint(address(vault), 2000);
        IExchangeVault.Withdrawal memory order = withdrawal("greedy", address(token), bob, 500);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.OutflowMismatch.selector, token, 500, 506));
        vault.release(order, signature);
        assertTrue(!vault.used("greedy"), "unused");
    }

    function test_a_token_that_lies_credits_and_pays_nothing() public {
        Liar token = new Liar();
        list(address(token));
        vm.expectRevert(IExchangeVault.ZeroAmount.selector);
        vault.depositERC20(address(token), 5, alice);
        token.mint(address(vault), 100);
        IExchangeVault.Withdrawal memory order = withdrawal("liar", address(token), bob, 5);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.OutflowMismatch.selector, token, 5, 0));
        vault.release(order, signature);
    }

    function test_a_token_that_answers_false_is_refused() public {
        Refuser token = new Refuser();
        list(address(token));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
        vault.depositERC20(address(token), 5, alice);
    }

    function test_a_token_that_returns_nothing_works() public {
        NonBool token = new NonBool();
        list(address(token));
        token.mint(alice, 100);
        vm.prank(alice);
        token.approve(address(vault), 100);
        vm.prank(alice);
        vault.depositERC20(address(token), 100, alice);
        IExchangeVault.Withdrawal memory order = withdrawal("non-bool", address(token), bob, 40);
        vault.release(order, sign(order));
        assertEq(token.balanceOf(bob), 40, "bob");
        assertEq(token.balanceOf(address(vault)), 60, "vault");
    }

    function test_a_blocked_recipient_leaves_the_withdrawal_unused_for_a_refund() public {
        Blocklisting token = new Blocklisting();
        list(address(token));
        depositZoo(token, 100);
        token.block_(bob);
        IExchangeVault.Withdrawal memory order = withdrawal("blocked", address(token), bob, 40);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(Blocklisting.Blocked.selector, bob));
        vault.release(order, signature);
        assertTrue(!vault.used("blocked"), "unused");
        assertEq(vault.outflowAvailable(address(token)), 1000, "no outflow counted");
    }

    function test_a_deposit_can_not_be_entered_from_a_deposit() public {
        Reentrant token = armed();
        token.arm(address(vault), abi.encodeCall(vault.depositERC20, (address(token), 1, bob)));
        depositZoo(token, 1000);
        expectGuarded(token);
        assertEq(vault.getUserId(bob), 0, "nothing credited inside");
    }

    function test_a_release_can_not_be_entered_from_a_release() public {
        Reentrant token = armed();
        IExchangeVault.Withdrawal memory inner = withdrawal("inner", address(token), bob, 7);
        token.arm(address(vault), abi.encodeCall(vault.release, (inner, sign(inner))));
        IExchangeVault.Withdrawal memory outer = withdrawal("outer", address(token), bob, 5);
        vault.release(outer, sign(outer));
        expectGuarded(token);
        assertEq(token.balanceOf(bob), 5, "paid once");
        assertTrue(!vault.used("inner"), "inner unused");
    }

    function test_a_deposit_can_not_be_entered_from_a_release() public {
        Reentrant token = armed();
        token.arm(address(vault), abi.encodeCall(vault.depositERC20, (address(token), 1, bob)));
        IExchangeVault.Withdrawal memory order = withdrawal("outer", address(token), bob, 5);
        vault.release(order, sign(order));
        expectGuarded(token);
    }

    function test_a_broken_token_harms_no_other() public {
        Broken token = new Broken();
        list(address(token));
        depositZoo(token, 100);
        token.destroy();
        IExchangeVault.Withdrawal memory order = withdrawal("broken", address(token), bob, 5);
        bytes memory signature = sign(order);
        vm.expectRevert(Broken.IsBroken.selector);
        vault.release(order, signature);
        deposit(alice, 100);
        release("healthy", bob, 100);
    }

    function list(address token) private {
        vault.createAsset(token, "ZOO", 18, caps(1000, 1000));
    }

    function armed() private returns (Reentrant token) {
        token = new Reentrant();
        list(address(token));
        token.mint(address(vault), 500);
    }

    function expectGuarded(Reentrant token) private view {
        assertTrue(!token.entered(), "refused");
        assertTrue(
            bytes4(token.lastReason()) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector, "by the guard"
        );
    }

    function depositZoo(ZooToken token, uint256 amount) private {
        token.mint(alice, amount);
        vm.prank(alice);
        token.approve(address(vault), amount);
        vm.prank(alice);
        vault.depositERC20(address(token), amount, alice);
    }

    function depositedAmount() private returns (uint256 amount) {
        (, amount) = abi.decode(lastVaultLog(), (address, uint256));
    }

    function lastVaultLog() private returns (bytes memory data) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(vault)) data = logs[i].data;
        }
    }
}
