// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Faucet} from "../solidity/Faucet.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {IFaucet} from "../solidity/IFaucet.sol";
import {VaultTest} from "./VaultTest.sol";

/// @dev A wallet that takes no native coin.
contract ClosedWallet {}

/// @dev A wallet that would claim again from inside the gas payment.
contract GreedyWallet {
    receive() external payable {
        Faucet(payable(msg.sender)).claim(address(this), "again");
    }
}

/// @dev A wallet that would burn all the gas it is given.
contract BurningWallet {
    receive() external payable {
        while (true) {}
    }
}

/// @title One claim in one transaction: tokens into the account, gas money into the wallet
contract FaucetTest is VaultTest {
    Faucet private faucet;

    function setUp() public override {
        super.setUp();
        faucet = new Faucet(admin, vault, address(wsoso));
        faucet.grantRole(faucet.OPERATOR_ROLE(), operator);
        usdc.grantRole(usdc.MINTER_ROLE(), address(faucet));
        IFaucet.Grant[] memory grants = new IFaucet.Grant[](2);
        grants[0] = IFaucet.Grant({token: address(usdc), amount: 100e6});
        grants[1] = IFaucet.Grant({token: address(wsoso), amount: 5 ether});
        faucet.setGrants(grants, 0.1 ether);
        faucet.setDailyClaims(3);
        vm.deal(address(faucet), 100 ether);
    }

    function test_a_claim_deposits_the_tokens_and_sends_the_gas() public {
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Deposited(1, alice, address(usdc), address(faucet), 100e6);
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.Deposited(1, alice, address(wsoso), address(faucet), 5 ether);
        vm.expectEmit(true, true, false, true, address(faucet));
        emit IFaucet.Claimed("1", alice, 0.1 ether, true);
        claim(alice, "1");
        assertEq(usdc.balanceOf(address(vault)), 100e6, "vault USDC");
        assertEq(wsoso.balanceOf(address(vault)), 5 ether, "vault WSOSO");
        assertEq(alice.balance, 0.1 ether, "gas");
        assertEq(vault.getUserId(alice), 1, "user id");
        assertTrue(faucet.claimed("1"), "claimed");
    }

    function test_a_claim_id_is_paid_once() public {
        claim(alice, "1");
        vm.expectRevert(abi.encodeWithSelector(IFaucet.ClaimUsed.selector, bytes32("1")));
        claim(bob, "1");
    }

    function test_an_account_claims_once_in_24_hours() public {
        uint256 allowedAt = block.timestamp + 24 hours;
        claim(alice, "1");
        vm.warp(allowedAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.ClaimTooSoon.selector, alice, allowedAt));
        claim(alice, "2");
        vm.warp(allowedAt);
        claim(alice, "2");
    }

    function test_a_day_has_so_many_claims_and_the_next_day_as_many_again() public {
        uint256 day = block.timestamp / 1 days;
        for (uint160 i = 1; i <= 3; ++i) {
            claim(address(1000 + i), bytes32(uint256(i)));
        }
        vm.expectRevert(abi.encodeWithSelector(IFaucet.DailyClaimsUsed.selector, 3));
        claim(alice, "over");
        vm.warp((day + 1) * 1 days);
        claim(alice, "over");
        assertEq(faucet.claimsOn(day), 3, "this day");
        assertEq(faucet.claimsOn(day + 1), 1, "next day");
    }

    function test_only_the_operator_pays_claims_and_only_the_admin_sets_them() public {
        vm.expectRevert();
        vm.prank(alice);
        faucet.claim(alice, "1");
        vm.expectRevert();
        vm.prank(operator);
        faucet.setDailyClaims(1000);
        vm.expectRevert();
        vm.prank(operator);
        faucet.setGrants(new IFaucet.Grant[](0), 1);
    }

    function test_a_wallet_that_takes_no_native_coin_still_gets_its_tokens() public {
        address wallet = address(new ClosedWallet());
        vm.expectEmit(true, true, false, true, address(faucet));
        emit IFaucet.Claimed("1", wallet, 0.1 ether, false);
        claim(wallet, "1");
        assertEq(usdc.balanceOf(address(vault)), 100e6, "vault USDC");
    }

    function test_a_wallet_can_not_claim_again_from_inside() public {
        address wallet = address(new GreedyWallet());
        faucet.grantRole(faucet.OPERATOR_ROLE(), wallet);
        claim(wallet, "1");
        assertTrue(!faucet.claimed("again"), "not entered");
        assertEq(usdc.balanceOf(address(vault)), 100e6, "one grant");
    }

    function test_a_wallet_that_burns_gas_burns_little() public {
        address wallet = address(new BurningWallet());
        uint256 before = gasleft();
        claim(wallet, "1");
        assertTrue(before - gasleft() < 600_000, "bounded");
        assertTrue(faucet.claimed("1"), "claimed");
        assertEq(wallet.balance, 0, "no gas money taken");
    }

    function test_an_empty_faucet_pays_nothing_at_all() public {
        vm.deal(address(faucet), 5 ether);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetEmpty.selector, 0.1 ether, 0));
        claim(alice, "1");
        vm.deal(address(faucet), 4 ether);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetEmpty.selector, 5 ether, 4 ether));
        claim(alice, "1");
        assertTrue(!faucet.claimed("1"), "not claimed");
        assertEq(usdc.balanceOf(address(vault)), 0, "no tokens");
    }

    function test_new_grants_replace_the_old() public {
        IFaucet.Grant[] memory grants = new IFaucet.Grant[](1);
        grants[0] = IFaucet.Grant({token: address(usdc), amount: 7});
        faucet.setGrants(grants, 0);
        claim(alice, "1");
        assertEq(faucet.grants().length, 1, "grants");
        assertEq(usdc.balanceOf(address(vault)), 7, "vault USDC");
        assertEq(wsoso.balanceOf(address(vault)), 0, "vault WSOSO");
    }

    function claim(address account, bytes32 id) private {
        vm.prank(operator);
        faucet.claim(account, id);
    }
}
