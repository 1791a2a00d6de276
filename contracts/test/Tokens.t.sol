// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IWrappedNative} from "../solidity/IWrappedNative.sol";
import {VaultTest} from "./VaultTest.sol";

/// @dev Takes no native coin.
contract ClosedHolder {
    function unwrap(IWrappedNative token, uint256 amount) external {
        token.withdraw(amount);
    }
}

/// @title The test tokens and the wrapped native coin
contract TokensTest is VaultTest {
    function testFuzz_wrapping_is_one_to_one(uint96 amount, uint96 back) public {
        back = uint96(bound(back, 0, amount));
        vm.deal(alice, amount);
        vm.prank(alice);
        wsoso.deposit{value: amount}();
        assertEq(wsoso.totalSupply(), amount, "supply");
        vm.prank(alice);
        wsoso.withdraw(back);
        assertEq(wsoso.balanceOf(alice), amount - back, "wrapped");
        assertEq(alice.balance, back, "native");
        assertEq(address(wsoso).balance, wsoso.totalSupply(), "backed");
    }

    function test_a_plain_payment_wraps_too() public {
        vm.deal(alice, 3);
        vm.prank(alice);
        (bool taken,) = address(wsoso).call{value: 3}("");
        assertTrue(taken, "taken");
        assertEq(wsoso.balanceOf(alice), 3, "wrapped");
    }

    function test_nobody_unwraps_more_than_it_has() public {
        vm.expectRevert();
        vm.prank(alice);
        wsoso.withdraw(1);
    }

    function test_a_holder_that_takes_no_native_coin_keeps_its_tokens() public {
        ClosedHolder holder = new ClosedHolder();
        vm.deal(alice, 3);
        vm.prank(alice);
        wsoso.deposit{value: 3}();
        vm.prank(alice);
        wsoso.transfer(address(holder), 3);
        vm.expectRevert(abi.encodeWithSelector(IWrappedNative.UnwrapFailed.selector, holder, 3));
        holder.unwrap(wsoso, 3);
        assertEq(wsoso.balanceOf(address(holder)), 3, "kept");
    }

    function test_tokens_have_their_decimals_and_only_a_minter_mints() public {
        assertEq(usdc.decimals(), 6, "USDC");
        assertEq(btc.decimals(), 8, "BTC");
        assertEq(wsoso.decimals(), 18, "WSOSO");
        vm.expectRevert();
        vm.prank(alice);
        usdc.mint(alice, 1);
    }
}
