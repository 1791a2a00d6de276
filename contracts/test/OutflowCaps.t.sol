// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @title D5: what a stolen operator key can take is bounded over every hour and every day
contract OutflowCapsTest is VaultTest {
    function setUp() public override {
        super.setUp();
        deposit(alice, 100_000e6);
    }

    function test_the_hourly_cap_holds_and_frees_after_an_hour() public {
        release("1", bob, HOURLY);
        expectCapped("2", 1, 0);
        vm.warp(block.timestamp + 1 hours - 1);
        expectCapped("3", 1, 0);
        vm.warp(block.timestamp + 1);
        release("4", bob, HOURLY);
    }

    function test_the_hour_slides_so_a_full_hour_can_not_be_taken_twice_around_a_boundary() public {
        vm.warp(block.timestamp - (block.timestamp % 1 hours) + 59 minutes);
        release("1", bob, HOURLY);
        vm.warp(block.timestamp + 2 minutes);
        expectCapped("2", 1, 0);
    }

    function test_the_daily_cap_holds_when_every_hour_is_within_its_own() public {
        for (uint256 hour = 0; hour < 5; ++hour) {
            release(bytes32(hour), bob, HOURLY);
            vm.warp(block.timestamp + 1 hours);
        }
        expectCapped("over", 1, 0);
        vm.warp(block.timestamp + 19 hours);
        release("next day", bob, HOURLY);
    }

    function test_lower_caps_count_what_has_left_already() public {
        release("1", bob, 600e6);
        vault.setOutflowCaps(address(usdc), caps(500e6, DAILY));
        assertEq(vault.outflowAvailable(address(usdc)), 0, "nothing left");
        expectCapped("2", 1, 0);
        vault.setOutflowCaps(address(usdc), caps(700e6, DAILY));
        assertEq(vault.outflowAvailable(address(usdc)), 100e6, "the rest");
    }

    function test_only_the_admin_sets_caps_and_only_of_a_listed_asset() public {
        vm.expectRevert();
        vm.prank(operator);
        vault.setOutflowCaps(address(usdc), caps(1, 1));
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.UnknownAsset.selector, btc));
        vault.setOutflowCaps(address(btc), caps(1, 1));
        assertEq(vault.outflowCaps(address(usdc)).hourly, HOURLY, "hourly");
        assertEq(vault.outflowCaps(address(usdc)).daily, DAILY, "daily");
    }

    function testFuzz_no_hour_ever_sees_more_than_its_cap(uint256[24] memory amounts, uint16[24] memory pauses) public {
        uint256[24] memory paidAt;
        uint256[24] memory paid;
        for (uint256 i = 0; i < amounts.length; ++i) {
            uint256 amount = bound(amounts[i], 1, HOURLY);
            vm.warp(block.timestamp + pauses[i] % 1800);
            uint256 available = vault.outflowAvailable(address(usdc));
            if (amount > available) {
                expectCapped(bytes32(i), amount, available);
            } else {
                release(bytes32(i), bob, amount);
                paidAt[i] = block.timestamp;
                paid[i] = amount;
            }
            uint256 lastHour = 0;
            for (uint256 j = 0; j <= i; ++j) {
                if (paidAt[j] + 1 hours > block.timestamp) lastHour += paid[j];
            }
            assertTrue(lastHour <= HOURLY, "within the hourly cap");
        }
    }

    function expectCapped(bytes32 id, uint256 amount, uint256 available) private {
        IExchangeVault.Withdrawal memory order = withdrawal(id, address(usdc), bob, amount);
        bytes memory signature = sign(order);
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.OutflowCapExceeded.selector, usdc, amount, available));
        vault.release(order, signature);
        assertTrue(!vault.used(id), "a refused withdrawal stays unused");
    }
}
