/** A stand-in for an external chain: it mines automatically, and reverts blocks on demand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHAIN_ID, exchangeVaultAbi } from '@orrery/contracts';
import { type Anvil, anvilCall, startAnvil } from '@orrery/contracts/anvil';
import { createPublicClient, encodeFunctionData, type Hex, http, keccak256, type LocalAccount, type PublicClient, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const RICH = 10n ** 27n;
const DEPOSIT_GAS = 500_000n;
/** After the last transaction: enough for all that it leads to to be final. */
const EMPTY_BLOCKS = 20;
/** Then one empty block in this number of turns: a sender that waits for blocks before a retry must make progress. */
const EMPTY_FOR_ONE = 20;
const IDLE_MS = 20;

export interface Sent {
  readonly hash: Hex;
  readonly raw: Hex;
}

export class TestChain {
  readonly url: string;
  readonly client: PublicClient;
  /** Of the exchange: each role has an account of its own. */
  readonly operatorKey: Hex = generatePrivateKey();
  /** Deploys the contracts and is their admin. */
  readonly deployerKey: Hex = generatePrivateKey();
  readonly pauserKey: Hex = generatePrivateKey();
  readonly #lister = privateKeyToAccount(generatePrivateKey()).address;
  readonly #anvil: Anvil;
  readonly #directory: string;
  #mineEveryMs: number;
  #isOver = false;
  readonly #mining: Promise<void>;

  private constructor(parts: { anvil: Anvil; directory: string; mineEveryMs: number }) {
    this.#anvil = parts.anvil;
    this.#directory = parts.directory;
    this.#mineEveryMs = parts.mineEveryMs;
    this.url = parts.anvil.url;
    this.client = createPublicClient({ transport: http(this.url, { retryCount: 0 }), pollingInterval: 50, cacheTime: 0 });
    this.#mining = this.#mineOnAndOn();
  }

  /** @param options.mineEveryMs 0 mines only when asked to. */
  static async open(options: { readonly mineEveryMs: number }): Promise<TestChain> {
    const directory = await mkdtemp(join(tmpdir(), 'orrery-test-chain-'));
    const flags = ['--chain-id', String(CHAIN_ID), '--no-mining', '--accounts', '0', '--cache-path', directory, '--silent'];
    const chain = new TestChain({ anvil: await startAnvil({ directory, flags }), directory, ...options });
    try {
      for (const key of [chain.operatorKey, chain.deployerKey, chain.pauserKey]) await chain.makeRich(privateKeyToAccount(key).address);
    } catch (error) {
      await chain.close();
      throw error;
    }
    return chain;
  }

  /** With which a program is the exchange on this chain. */
  get settings(): Readonly<Record<string, string>> {
    return {
      ORRERY_RPC_URL: this.url,
      ORRERY_OPERATOR_KEY: this.operatorKey,
      ORRERY_DEPLOYER_KEY: this.deployerKey,
      ORRERY_PAUSER_ADDRESS: privateKeyToAccount(this.pauserKey).address,
      ORRERY_LISTER_ADDRESS: this.#lister,
      // Nobody trades but those of the test.
      ORRERY_MARKET_MAKER: 'off',
      // An experiment has no minutes to wait.
      ORRERY_DISPUTE_SECONDS: '0',
    };
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#mining;
    await this.#anvil.end();
    await rm(this.#directory, { recursive: true, force: true });
  }

  call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return anvilCall(this.url, method, params);
  }

  async mine(blocks = 1): Promise<void> {
    await this.call('anvil_mine', [toHex(blocks)]);
  }

  /** 0 stops it. */
  mineEvery(ms: number): void {
    this.#mineEveryMs = ms;
  }

  /** The newest blocks are replaced by empty ones; what was in them is gone. */
  async reorganise(depth: number): Promise<void> {
    await this.call('anvil_reorg', [depth, []]);
  }

  /** Transactions that wait to be mined. */
  async pending(): Promise<number> {
    const { pending } = await this.#pool();
    return Number(pending);
  }

  #pool(): Promise<{ readonly pending: Hex; readonly queued: Hex }> {
    return this.call('txpool_status') as Promise<{ pending: Hex; queued: Hex }>;
  }

  async makeRich(address: Hex): Promise<void> {
    await this.call('anvil_setBalance', [address, toHex(RICH)]);
  }

  async height(): Promise<number> {
    return Number(await this.client.getBlockNumber());
  }

  /** Of the chain's own coin, into the exchange; as a wallet does it. */
  async deposit(options: { from: LocalAccount; vault: Hex; amount: bigint }): Promise<Sent> {
    const { from, vault, amount } = options;
    const data = encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositNative', args: [from.address] });
    return this.send(from, { to: vault, value: amount, data });
  }

  async send(from: LocalAccount, call: { to: Hex; value?: bigint; data?: Hex }): Promise<Sent> {
    const nonce = await this.client.getTransactionCount({ address: from.address, blockTag: 'pending' });
    const raw = await from.signTransaction({
      ...call,
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce,
      gas: DEPOSIT_GAS,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 1n,
    });
    await this.sendAgain({ raw, hash: keccak256(raw) });
    return { raw, hash: keccak256(raw) };
  }

  async sendAgain({ raw }: Sent): Promise<void> {
    await this.call('eth_sendRawTransaction', [raw]);
  }

  /** How often the vault has paid each withdrawal, by its id, on the branch that is now the chain. */
  async paidOut(vault: Hex): Promise<ReadonlyMap<string, { readonly times: number; readonly amount: bigint }>> {
    const logs = await this.client.getContractEvents({ address: vault, abi: exchangeVaultAbi, eventName: 'Released', fromBlock: 0n });
    const paid = new Map<string, { times: number; amount: bigint }>();
    for (const { args } of logs) {
      const { id = '0x', amount = 0n } = args;
      const before = paid.get(id) ?? { times: 0, amount: 0n };
      paid.set(id, { times: before.times + 1, amount: before.amount + amount });
    }
    return paid;
  }

  /** The node forgets its older states, and a reorganisation then leaves it without contracts: so few empty blocks are mined. */
  async #mineOnAndOn(): Promise<void> {
    let empty = 0;
    while (!this.#isOver) {
      const { pending, queued } = await this.#pool();
      empty = Number(pending) + Number(queued) > 0 ? 0 : empty + 1;
      if (this.#mineEveryMs > 0 && (empty <= EMPTY_BLOCKS || empty % EMPTY_FOR_ONE === 0)) await this.mine();
      await pause(this.#mineEveryMs > 0 ? this.#mineEveryMs : IDLE_MS);
    }
  }
}
