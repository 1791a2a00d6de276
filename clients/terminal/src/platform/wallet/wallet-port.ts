/** What the terminal asks of a wallet, whatever library or key stands behind it. */
import type { Abi, Address, Hash, TransactionReceipt } from 'viem';
import type { NetworkSwitch } from './network-switch.ts';

export type ConnectorType = 'injected' | 'walletConnect' | 'burner' | 'embedded';

/** A wallet that may be connected. */
export interface WalletChoice {
  readonly id: string;
  readonly name: string;
  readonly type: ConnectorType;
  /** Reverse domain name the wallet announces itself by: two wallets may share a name, not this. */
  readonly rdns: string | undefined;
  /** A data URI the wallet announced. */
  readonly icon: string | undefined;
}

export interface ConnectedWallet {
  readonly address: Address;
  readonly chainId: number;
  readonly type: ConnectorType;
  readonly name: string;
}

export interface ContractCall {
  readonly address: Address;
  readonly abi: Abi | readonly unknown[];
  readonly functionName: string;
  readonly args: readonly unknown[];
  /** Native coin sent along, in wei. */
  readonly value?: bigint;
}

export interface Wallets {
  connect(id: string): Promise<void>;
  /** Connects again to the wallet of the last visit, without asking. */
  reconnect(): Promise<void>;
  disconnect(): Promise<void>;
  signMessage(text: string): Promise<string>;
  /** Brings the wallet to the exchange's chain. */
  switchNetwork(): Promise<NetworkSwitch>;
  addNetwork(): Promise<NetworkSwitch>;
  read(call: Omit<ContractCall, 'value'>): Promise<unknown>;
  nativeBalance(address: Address): Promise<bigint>;
  write(call: ContractCall): Promise<Hash>;
  waitForReceipt(hash: Hash): Promise<TransactionReceipt>;
}
