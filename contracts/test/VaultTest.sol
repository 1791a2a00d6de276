// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ExchangeVault} from "../solidity/ExchangeVault.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {TestToken} from "../solidity/TestToken.sol";
import {WSOSO} from "../solidity/WSOSO.sol";
import {Test} from "./Test.sol";

/// @title A vault with two assets, and the people of the tests
abstract contract VaultTest is Test {
    uint256 internal constant OPERATOR_KEY = 0xA11CE;
    uint208 internal constant HOURLY = 1_000e6;
    uint208 internal constant DAILY = 5_000e6;

    address internal immutable operator = vm.addr(OPERATOR_KEY);
    address internal immutable admin = address(this);
    address internal immutable alice = address(0xA1);
    address internal immutable bob = address(0xB0);

    WSOSO internal wsoso;
    ExchangeVault internal vault;
    TestToken internal usdc;
    TestToken internal btc;

    function setUp() public virtual {
        vm.warp(1_700_000_000);
        wsoso = new WSOSO();
        vault = new ExchangeVault(admin, wsoso, 0);
        vault.grantRole(vault.OPERATOR_ROLE(), operator);
        vault.grantRole(vault.PAUSER_ROLE(), admin);
        vault.grantRole(vault.LISTER_ROLE(), admin);
        usdc = new TestToken("Test USD Coin", "USDC", 6, admin);
        btc = new TestToken("Test Bitcoin", "BTC", 8, admin);
        usdc.grantRole(usdc.MINTER_ROLE(), admin);
        btc.grantRole(btc.MINTER_ROLE(), admin);
        vault.createAsset(address(usdc), "USDC", 6, caps(HOURLY, DAILY));
        vault.createAsset(address(wsoso), "WSOSO", 18, caps(100 ether, 500 ether));
    }

    function caps(uint208 hourly, uint208 daily) internal pure returns (IExchangeVault.OutflowCaps memory) {
        return IExchangeVault.OutflowCaps({hourly: hourly, daily: daily});
    }

    function deposit(address account, uint256 amount) internal returns (uint64 userId) {
        usdc.mint(account, amount);
        vm.prank(account);
        usdc.approve(address(vault), amount);
        vm.prank(account);
        return vault.depositERC20(address(usdc), amount, account);
    }

    function withdrawal(bytes32 id, address token, address to, uint256 amount)
        internal
        view
        returns (IExchangeVault.Withdrawal memory)
    {
        return IExchangeVault.Withdrawal({id: id, token: token, to: to, amount: amount, deadline: block.timestamp + 600});
    }

    function sign(IExchangeVault.Withdrawal memory order) internal view returns (bytes memory) {
        return signWith(OPERATOR_KEY, order);
    }

    function signWith(uint256 key, IExchangeVault.Withdrawal memory order) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, vault.withdrawalDigest(order));
        return abi.encodePacked(r, s, v);
    }

    function release(bytes32 id, address to, uint256 amount) internal {
        IExchangeVault.Withdrawal memory order = withdrawal(id, address(usdc), to, amount);
        vault.release(order, sign(order));
    }
}
