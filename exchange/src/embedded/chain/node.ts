/** The chain program as the supervisor sees it: it accepts transactions and mine commands. */
import { anvilCall, startAnvil, type Anvil } from '@orrery/contracts/anvil';
import type { Hash, Hex } from 'viem';

export interface MinedBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly transactions: readonly Hash[];
}

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
