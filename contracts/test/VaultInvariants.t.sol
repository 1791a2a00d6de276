// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ExchangeVault} from "../solidity/ExchangeVault.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {TestToken} from "../solidity/TestToken.sol";
import {Test} from "./Test.sol";
import {VaultTest} from "./VaultTest.sol";

/// @dev Does what the world may do to a vault, with an operator key in the wrong hands, and keeps its own books.
contract World is Test {
    uint256 private constant OPERATOR_KEY = 0xA11CE;
    uint256 private constant NO_REUSE = 1;

    ExchangeVault private immutable vault;
    TestToken private immutable usdc;
    uint208 private immutable hourlyCap;
    uint208 private immutable dailyCap;

    uint256 public deposited;
    uint256 public paid;
    uint256 public donated;
    uint256 public paidWhilePaused;
    uint256 public paidTwice;
    uint256 public worstHour;
    uint256 public worstDay;
    mapping(bytes32 id => uint256) private _timesPaid;
    uint256[] private _paidAt;
    uint256[] private _paidAmount;

    constructor(ExchangeVault vault_, TestToken usdc_, uint208 hourlyCap_, uint208 dailyCap_) {
        vault = vault_;
        usdc = usdc_;
        hourlyCap = hourlyCap_;
        dailyCap = dailyCap_;
    }

    function deposit(uint256 who, uint256 amount) external {
        amount = bound(amount, 1, 2_000e6);
        usdc.mint(address(this), amount);
        usdc.approve(address(vault), amount);
        try vault.depositERC20(address(usdc), amount, person(who)) {
            deposited += amount;
        } catch {
            require(vault.paused(), "a deposit fails only while paused");
        }
    }

    function donate(uint256 amount) external {
        amount = bound(amount, 1, 10e6);
        usdc.mint(address(vault), amount);
        donated += amount;
    }

    /// @dev Ids come from a small range, so that many are tried again.
    function steal(uint256 id, uint256 who, uint256 amount) external {
        IExchangeVault.Withdrawal memory order = IExchangeVault.Withdrawal({
            id: bytes32(id % 40),
            token: address(usdc),
            to: person(who),
            amount: bound(amount, 1, uint256(hourlyCap) * 2),
            deadline: block.timestamp
        });
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OPERATOR_KEY, vault.withdrawalDigest(order));
        bool wasPaused = vault.paused();
        try vault.release(order, abi.encodePacked(r, s, v)) {
            note(order, wasPaused);
        } catch {}
    }

    function passTime(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 1, 40 minutes));
    }

    function togglePause(uint256 dice) external {
        if (vault.paused()) vault.unpause();
        else if (dice % 4 == 0) vault.pause();
    }

    function note(IExchangeVault.Withdrawal memory order, bool wasPaused) private {
        paid += order.amount;
        if (wasPaused) ++paidWhilePaused;
        if (++_timesPaid[order.id] > NO_REUSE) ++paidTwice;
        _paidAt.push(block.timestamp);
        _paidAmount.push(order.amount);
        worstHour = larger(worstHour, paidWithin(1 hours));
        worstDay = larger(worstDay, paidWithin(1 days));
    }

    function paidWithin(uint256 window) private view returns (uint256 sum) {
        for (uint256 i = _paidAt.length; i > 0 && _paidAt[i - 1] + window > block.timestamp; --i) {
            sum += _paidAmount[i - 1];
        }
    }

    function larger(uint256 left, uint256 right) private pure returns (uint256) {
        return left > right ? left : right;
    }

    function person(uint256 who) private pure returns (address) {
        return address(uint160(0xBEEF00 + who % 5));
    }
}

/// @title D4, D5: what holds after any sequence of calls
contract VaultInvariants is VaultTest {
    World private world;

    function setUp() public override {
        super.setUp();
        world = new World(vault, usdc, HOURLY, DAILY);
        usdc.grantRole(usdc.MINTER_ROLE(), address(world));
        vault.grantRole(vault.PAUSER_ROLE(), address(world));
        vault.grantRole(vault.DEFAULT_ADMIN_ROLE(), address(world));
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(world);
    }

    function invariant_the_vault_holds_deposits_less_payments() external view {
        assertEq(usdc.balanceOf(address(vault)), world.deposited() + world.donated() - world.paid(), "balance");
    }

    function invariant_no_hour_and_no_day_exceeds_its_cap() external view {
        assertTrue(world.worstHour() <= HOURLY, "hour");
        assertTrue(world.worstDay() <= DAILY, "day");
    }

    function invariant_every_withdrawal_id_pays_once() external view {
        assertEq(world.paidTwice(), 0, "paid twice");
    }

    function invariant_nothing_leaves_while_paused() external view {
        assertEq(world.paidWhilePaused(), 0, "paid while paused");
    }

    function invariant_user_ids_are_counted_without_gaps() external view {
        uint256 withId = 0;
        for (uint160 i = 0; i < 5; ++i) {
            if (vault.getUserId(address(0xBEEF00 + i)) != 0) ++withId;
        }
        assertEq(vault.userCount(), withId, "user count");
    }
}
