/** The chain program as the supervisor sees it: it accepts transactions and mine commands. */
import { anvilCall, startAnvil, type Anvil } from '@orrery/contracts/anvil';
import type { Address, Hash, Hex } from 'viem';

export interface MinedBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly transactions: readonly Hash[];
}

/** By lower-case sender, then by nonce in decimal. */
type PoolContent = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export class ChainNode {
  readonly exited: Promise<void>;
  readonly #anvil: Anvil;

  private constructor(anvil: Anvil) {
    this.#anvil = anvil;
    this.exited = anvil.exited;
  }

  /** @param options.genesis Path of the genesis file. */
  static async start(options: { directory: string; chainId: number; genesis: string }): Promise<ChainNode> {
    const flags = [
      '--init',
      options.genesis,
      '--no-mining',
      '--chain-id',
      String(options.chainId),
      '--hardfork',
      'cancun',
      // No accounts: a node that has no keys can lose none.
      '--accounts',
      '0',
      // Blocks are filled in the order of arrival, which is the order of the log.
      '--order',
      'fifo',
      // Without it gigabytes of old states gather in the home folder.
      '--prune-history',
      '--no-request-size-limit',
      '--silent',
    ];
    return new ChainNode(await startAnvil({ flags, directory: options.directory }));
  }

  call(method: string, params: readonly unknown[]): Promise<unknown> {
    return anvilCall(this.#anvil.url, method, params);
  }

  async mine(timestamp: number): Promise<MinedBlock> {
    await this.call('evm_setNextBlockTimestamp', [timestamp]);
    await this.call('evm_mine', []);
    return this.newestBlock();
  }

  async newestBlock(): Promise<MinedBlock> {
    const block = (await this.call('eth_getBlockByNumber', ['latest', false])) as { number: Hex; hash: Hash; transactions: Hash[] };
    return { number: Number(block.number), hash: block.hash, transactions: block.transactions };
  }

  /** Mined so far. */
  async account(address: Address): Promise<{ nonce: number; balance: bigint }> {
    const [nonce, balance] = await Promise.all([
      this.call('eth_getTransactionCount', [address, 'latest']),
      this.call('eth_getBalance', [address, 'latest']),
    ]);
    return { nonce: Number(nonce), balance: BigInt(balance as Hex) };
  }

  async knows(hash: Hash): Promise<boolean> {
    return (await this.call('eth_getTransactionByHash', [hash])) !== null;
  }

  /** The number of transactions in its pool. */
  async poolSize(): Promise<number> {
    const { pending, queued } = (await this.call('txpool_status', [])) as { pending: Hex; queued: Hex };
    return Number(pending) + Number(queued);
  }

  /** Whether a transaction is in its pool now. */
  async held(): Promise<(transaction: { sender: Address; nonce: number }) => boolean> {
    const { pending, queued } = (await this.call('txpool_inspect', [])) as { pending: PoolContent; queued: PoolContent };
    return ({ sender, nonce }) => [pending, queued].some((content) => content[sender]?.[String(nonce)] !== undefined);
  }

  async dumpState(): Promise<Hex> {
    return (await this.call('anvil_dumpState', [])) as Hex;
  }

  async loadState(state: Hex): Promise<void> {
    await this.call('anvil_loadState', [state]);
  }

  /** Everything it knows is in the log already. */
  end(): Promise<void> {
    return this.#anvil.end();
  }
}
