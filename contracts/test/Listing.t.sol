// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IExchangeVault} from "../solidity/IExchangeVault.sol";
import {VaultTest} from "./VaultTest.sol";

/// @title C6: asset creation and trading pairs
contract ListingTest is VaultTest {
    function test_an_asset_is_listed_with_its_code_and_decimals() public {
        vm.expectEmit(true, true, false, true, address(vault));
        emit IExchangeVault.AssetCreated(3, address(btc), "BTC", 8);
        assertEq(vault.createAsset(address(btc), "BTC", 8, caps(1, 2)), 3, "asset id");
        IExchangeVault.Asset memory asset = vault.asset(address(btc));
        assertEq(asset.id, 3, "id");
        assertEq(asset.decimals, 8, "decimals");
        assertEq(uint256(asset.code), uint256(bytes32("BTC")), "code");
        assertEq(vault.assetToken(3), address(btc), "token of the id");
        assertEq(vault.assetCount(), 3, "count");
    }

    function test_an_asset_is_listed_once() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.AssetExists.selector, usdc));
        vault.createAsset(address(usdc), "USDX", 6, caps(1, 2));
    }

    function test_a_code_is_given_once_and_is_not_empty() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.CodeTaken.selector, bytes32("USDC")));
        vault.createAsset(address(btc), "USDC", 8, caps(1, 2));
        vm.expectRevert(IExchangeVault.EmptyCode.selector);
        vault.createAsset(address(btc), "", 8, caps(1, 2));
    }

    function test_decimals_must_be_the_tokens_own() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.DecimalsMismatch.selector, btc, 18, 8));
        vault.createAsset(address(btc), "BTC", 18, caps(1, 2));
    }

    function test_only_a_lister_lists() public {
        bytes memory refused = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector, alice, vault.LISTER_ROLE()
        );
        vm.expectRevert(refused);
        vm.prank(alice);
        vault.createAsset(address(btc), "BTC", 8, caps(1, 2));
        vm.expectRevert(refused);
        vm.prank(alice);
        vault.createPair(address(wsoso), address(usdc));
    }

    function test_a_pair_is_created_once_in_either_order() public {
        vm.expectEmit(true, true, true, true, address(vault));
        emit IExchangeVault.PairCreated(1, address(wsoso), address(usdc));
        assertEq(vault.createPair(address(wsoso), address(usdc)), 1, "pair id");
        assertEq(vault.getPairId(address(wsoso), address(usdc)), 1, "looked up");
        assertEq(vault.pair(1).base, address(wsoso), "base");
        assertEq(vault.pair(1).quote, address(usdc), "quote");
        assertEq(vault.pairCount(), 1, "count");
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.PairExists.selector, wsoso, usdc));
        vault.createPair(address(wsoso), address(usdc));
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.PairExists.selector, usdc, wsoso));
        vault.createPair(address(usdc), address(wsoso));
    }

    function test_a_pair_needs_two_listed_assets() public {
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.PairOfOne.selector, usdc));
        vault.createPair(address(usdc), address(usdc));
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.UnknownAsset.selector, btc));
        vault.createPair(address(btc), address(usdc));
        vm.expectRevert(abi.encodeWithSelector(IExchangeVault.UnknownAsset.selector, btc));
        vault.createPair(address(usdc), address(btc));
    }
}
