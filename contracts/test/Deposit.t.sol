// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @title C6: deposits and user ids
contract DepositTest is VaultTest {
    function test_user_ids_are_given_at_the_first_deposit_and_stay() public {
        assertEq(vault.getUserId(alice), 0, "no id before");
        vm.deal(alice, 5);
        vm.expectEmit(true, true, false, true, address(vault));
        emit IExchangeVault.UserCreated(1, alice);
        vm.prank(alice);
        assertEq(vault.depositNative{value: 5}(alice), 1, "alice");
        assertEq(deposit(bob, 5), 2, "bob");
        assertEq(deposit(alice, 5), 1, "alice again");
        assertEq(vault.getUserId(alice), 1, "looked up");
        assertEq(vault.userCount(), 2, "count");
    }

    function testFuzz_a_deposit_credits_the_recipient_with_what_arrived(uint128 amount, address recipient) public {
        vm.assume(amount > 0 && recipient != address(0) && recipient != address(vault) && recipient != vault.NATIVE());
        vm.assume(recipient != address(usdc) && recipient != address(wsoso));
        usdc.mint(alice, amount);
        vm.prank(alice);
        usdc.approve(address(vault), amount);
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Deposited(1, recipient, address(usdc), alice, amount);
        vm.prank(alice);
        vault.depositERC20(address(usdc), amount, recipient);
        assertEq(usdc.balanceOf(address(vault)), amount, "vault");
        assertEq(usdc.balanceOf(alice), 0, "alice");
    }

    function testFuzz_native_coin_is_credited_as_its_wrapped_token(uint96 amount) public {
        vm.assume(amount > 0);
        vm.deal(alice, amount);
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Deposited(1, bob, address(wsoso), alice, amount);
        vm.prank(alice);
        vault.depositNative{value: amount}(bob);
        assertEq(wsoso.balanceOf(address(vault)), amount, "wrapped");
        assertEq(address(vault).balance, 0, "nothing stays unwrapped");
    }

    function test_a_deposit_of_nothing_is_refused() public {
        vm.expectRevert(IExchangeVault.ZeroAmount.selector);
        vault.depositERC20(address(usdc), 0, alice);
        vm.expectRevert(IExchangeVault.ZeroAmount.selector);
        vault.depositNative(alice);
    }

    function test_an_unlisted_token_is_refused() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.UnknownAsset.selector, btc));
        vault.depositERC20(address(btc), 1, alice);
    }

    function test_nobody_deposits_for_the_vault_a_token_or_zero() public {
        usdc.mint(admin, 10);
        usdc.approve(address(vault), 10);
        address[5] memory refused = [address(0), address(vault), address(usdc), address(wsoso), vault.NATIVE()];
        for (uint256 i = 0; i < refused.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IExchangeVault.RefusedRecipient.selector, refused[i]));
            vault.depositERC20(address(usdc), 1, refused[i]);
        }
    }

    function test_native_coin_sent_past_deposit_native_comes_back() public {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool taken, bytes memory reason) = address(vault).call{value: 1 ether}("");
        assertTrue(!taken, "refused");
        assertEq(
            uint256(keccak256(reason)),
            uint256(keccak256(abi.encodeWithSelector(IExchangeVault.UnexpectedNative.selector, alice))),
            "reason"
        );
    }

    function test_a_pause_stops_deposits_and_the_admin_alone_ends_it() public {
        vault.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.depositERC20(address(usdc), 1, alice);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.depositNative(alice);
        vm.expectRevert();
        vm.prank(alice);
        vault.unpause();
        vault.unpause();
        deposit(alice, 1);
    }

    function test_only_a_pauser_pauses() public {
        vm.expectRevert();
        vm.prank(operator);
        vault.pause();
    }
}
