// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ExchangeVault} from "../solidity/ExchangeVault.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @dev Takes no native coin.
contract Closed {}

/// @title C6, D6: funds leave against a signature that binds everything, once
contract ReleaseTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(alice, 10_000e6);
        vm.deal(alice, 200 ether);
        vm.prank(alice);
        vault.depositNative{value: 200 ether}(alice);
    }

    function testFuzz_a_signed_withdrawal_is_paid(bytes32 id, uint256 amount) public {
        amount = bound(amount, 1, HOURLY);
        IExchangeVault.Withdrawal memory order = withdrawal(id, address(usdc), bob, amount);
        bytes memory signature = sign(order);
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Released(id, address(usdc), bob, amount);
        vm.prank(bob);
        vault.release(order, signature);
        assertEq(usdc.balanceOf(bob), amount, "bob");
        assertTrue(vault.used(id), "used");
    }

    function test_native_coin_is_unwrapped_and_paid() public {
        IExchangeVault.Withdrawal memory order = withdrawal("n", vault.NATIVE(), bob, 3 ether);
        vault.release(order, sign(order));
        assertEq(bob.balance, 3 ether, "bob");
        assertEq(wsoso.balanceOf(address(vault)), 197 ether, "vault");
        assertEq(vault.outflowAvailable(address(wsoso)), 97 ether, "counts against the wrapped token");
    }

    function test_the_wrapped_token_itself_can_be_paid_too() public {
        IExchangeVault.Withdrawal memory order = withdrawal("w", address(wsoso), bob, 3 ether);
        vault.release(order, sign(order));
        assertEq(wsoso.balanceOf(bob), 3 ether, "bob");
    }

    function test_a_withdrawal_is_paid_once() public {
        IExchangeVault.Withdrawal memory order = withdrawal("once", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vault.release(order, signature);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalUsed.selector, bytes32("once")));
        vault.release(order, signature);
        order.amount = 6;
        signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.WithdrawalUsed.selector, bytes32("once")));
        vault.release(order, signature);
    }

    function test_a_withdrawal_is_paid_until_its_deadline_and_not_after() public {
        IExchangeVault.Withdrawal memory order = withdrawal("late", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vm.warp(order.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.DeadlinePassed.selector, order.deadline));
        vault.release(order, signature);
        vm.warp(order.deadline);
        vault.release(order, signature);
    }

    function testFuzz_a_signature_is_good_for_what_was_signed_only(uint8 field, uint256 change) public {
        IExchangeVault.Withdrawal memory order = withdrawal("bound", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        field = field % 5;
        if (field == 0) order.id = bytes32(uint256(order.id) ^ bound(change, 1, type(uint256).max));
        if (field == 1) order.token = address(wsoso);
        if (field == 2) order.to = alice;
        if (field == 3) order.amount += bound(change, 1, 1e30);
        if (field == 4) order.deadline += bound(change, 1, 1e30);
        vm.expectRevert();
        vault.release(order, signature);
    }

    function test_a_signature_is_good_on_its_chain_and_for_its_vault_only() public {
        IExchangeVault.Withdrawal memory order = withdrawal("elsewhere", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        ExchangeVault other = new ExchangeVault(admin, wsoso, 0);
        other.grantRole(other.OPERATOR_ROLE(), operator);
        other.grantRole(other.LISTER_ROLE(), admin);
        other.createAsset(address(usdc), "USDC", 6, caps(HOURLY, DAILY));
        usdc.mint(address(other), 100);
        vm.expectRevert();
        other.release(order, signature);

        uint256 here = block.chainid;
        vm.chainId(1);
        vm.expectRevert();
        vault.release(order, signature);
        vm.chainId(here);
        vault.release(order, signature);
    }

    function testFuzz_only_an_operator_signs(uint256 key) public {
        key = bound(key, 1, 1e60);
        vm.assume(key != OPERATOR_KEY);
        IExchangeVault.Withdrawal memory order = withdrawal("forged", address(usdc), bob, 5);
        bytes memory signature = signWith(key, order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.SignerNotOperator.selector, vm.addr(key)));
        vault.release(order, signature);
    }

    function test_a_dismissed_operators_signature_is_worth_nothing() public {
        IExchangeVault.Withdrawal memory order = withdrawal("dismissed", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vault.revokeRole(vault.OPERATOR_ROLE(), operator);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.SignerNotOperator.selector, operator));
        vault.release(order, signature);
    }

    function test_the_other_form_of_a_signature_is_refused() public {
        IExchangeVault.Withdrawal memory order = withdrawal("high s", address(usdc), bob, 5);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OPERATOR_KEY, vault.withdrawalDigest(order));
        uint256 curveOrder = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        bytes32 high = bytes32(curveOrder - uint256(s));
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureS.selector, high));
        vault.release(order, abi.encodePacked(r, high, v == 27 ? uint8(28) : uint8(27)));
    }

    function test_nothing_goes_to_the_vault_a_token_or_zero() public {
        address[5] memory refused = [address(0), address(vault), address(usdc), address(wsoso), vault.NATIVE()];
        for (uint256 i = 0; i < refused.length; ++i) {
            IExchangeVault.Withdrawal memory order = withdrawal("bad", address(usdc), refused[i], 1);
            bytes memory signature = sign(order);
            vm.expectRevert(abi.encodeWithSelector(IExchangeVault.RefusedRecipient.selector, refused[i]));
            vault.release(order, signature);
        }
    }

    function test_an_amount_of_zero_and_an_unlisted_token_are_refused() public {
        IExchangeVault.Withdrawal memory order = withdrawal("zero", address(usdc), bob, 0);
        bytes memory signature = sign(order);
        vm.expectRevert(IExchangeVault.ZeroAmount.selector);
        vault.release(order, signature);
        order = withdrawal("unlisted", address(btc), bob, 1);
        signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.UnknownAsset.selector, btc));
        vault.release(order, signature);
    }

    function test_a_recipient_that_takes_no_native_coin_leaves_the_withdrawal_unused() public {
        address closed = address(new Closed());
        IExchangeVault.Withdrawal memory order = withdrawal("closed", vault.NATIVE(), closed, 1 ether);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.NativeTransferFailed.selector, closed, 1 ether));
        vault.release(order, signature);
        assertTrue(!vault.used("closed"), "unused");
        assertEq(vault.outflowAvailable(address(wsoso)), 100 ether, "no outflow counted");
    }

    function test_a_pause_stops_withdrawals() public {
        IExchangeVault.Withdrawal memory order = withdrawal("paused", address(usdc), bob, 5);
        bytes memory signature = sign(order);
        vault.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.release(order, signature);
        vault.unpause();
        vault.release(order, signature);
    }
}
