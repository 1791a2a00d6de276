/** A deposit from the wallet: the vault is allowed to take exactly this amount, takes it, and the chain confirms. */
import type { ChainContracts } from '@orrery/api';
import { exchangeVaultAbi } from '@orrery/contracts';
import { erc20Abi } from 'viem';
import type { Address, Hash, Hex } from 'viem';
import type { Wallets } from '../../platform/wallet/wallet-port.ts';

export type DepositToken = ChainContracts['tokens'][number];
export type DepositStep = 'approveSpending' | 'sendTransaction' | 'mining';

export interface WalletDeposit {
  readonly wallets: Wallets;
  readonly vault: Address;
  readonly token: DepositToken;
  readonly owner: Address;
  readonly amount: bigint;
  readonly onStep: (step: DepositStep) => void;
}

/** The chain mined the transaction and refused it. */
export class Reverted extends Error {
  override readonly name = 'Reverted';
}

async function mined(wallets: Wallets, hash: Hash): Promise<Hash> {
  const receipt = await wallets.waitForReceipt(hash);
  if (receipt.status === 'reverted') throw new Reverted(hash);
  return hash;
}

async function allowance({ wallets, vault, token, owner }: WalletDeposit): Promise<bigint> {
  const allowed = await wallets.read({ address: token.address as Hex, abi: erc20Abi, functionName: 'allowance', args: [owner, vault] });
  return typeof allowed === 'bigint' ? allowed : 0n;
}

async function depositToken(deposit: WalletDeposit): Promise<Hash> {
  const { wallets, vault, token, owner, amount, onStep } = deposit;
  const address = token.address as Hex;
  if ((await allowance(deposit)) < amount) {
    onStep('approveSpending');
    const approval = await wallets.write({ address, abi: erc20Abi, functionName: 'approve', args: [vault, amount] });
    onStep('mining');
    await mined(wallets, approval);
  }
  onStep('sendTransaction');
  const hash = await wallets.write({ address: vault, abi: exchangeVaultAbi, functionName: 'depositERC20', args: [address, amount, owner] });
  onStep('mining');
  return mined(wallets, hash);
}

async function depositNative({ wallets, vault, owner, amount, onStep }: WalletDeposit): Promise<Hash> {
  onStep('sendTransaction');
  const hash = await wallets.write({ address: vault, abi: exchangeVaultAbi, functionName: 'depositNative', args: [owner], value: amount });
  onStep('mining');
  return mined(wallets, hash);
}

/** Resolves with the hash of the mined deposit. */
export function depositFromWallet(deposit: WalletDeposit): Promise<Hash> {
  return deposit.token.native ? depositNative(deposit) : depositToken(deposit);
}

/** What the wallet itself holds of a token, in atoms. */
export async function walletBalance(wallets: Wallets, place: { readonly token: DepositToken; readonly owner: Address }): Promise<bigint> {
  if (place.token.native) return wallets.nativeBalance(place.owner);
  const balance = await wallets.read({
    address: place.token.address as Hex,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [place.owner],
  });
  return typeof balance === 'bigint' ? balance : 0n;
}

/** The user id the vault has given an address; 0 before its first deposit. */
export async function vaultUserId(wallets: Wallets, place: { readonly vault: Address; readonly owner: Address }): Promise<bigint> {
  const id = await wallets.read({ address: place.vault, abi: exchangeVaultAbi, functionName: 'getUserId', args: [place.owner] });
  return typeof id === 'bigint' ? id : 0n;
}
