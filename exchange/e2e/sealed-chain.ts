/**
 * A chain that the test seals: who seals blocks can try until a hash is lucky, as the rules of the lucky blocks disclose. What it tries
 * is the gas limit, which changes nothing else in the block.
 */
import { type Anvil, anvilCall, startAnvil } from '@orrery/contracts/anvil';
import { isLuckyHash } from '@orrery/api';
import { type Hash, type Hex, keccak256, parseEther, parseGwei, toHex, toRlp } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { until } from './until.ts';

const CHAIN_ID = 138_565;
const BASE_FEE = parseGwei('1');
const SOMEBODY: Hex = `0x${'5'.repeat(40)}`;

/** Of a header, in their order. */
const FIELDS = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
] as const;
/** They lose their leading zeros. */
const NUMBERS: ReadonlySet<string> = new Set([
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'baseFeePerGas',
  'blobGasUsed',
  'excessBlobGas',
]);

type Header = Readonly<Record<(typeof FIELDS)[number] | 'hash', Hex>>;

export interface LuckySeal {
  readonly number: number;
  readonly hash: Hash;
  readonly transaction: Hash;
}

export class SealedChain {
  readonly url: string;
  /** With which a program is the exchange on this chain. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #anvil: Anvil;

  private constructor(anvil: Anvil, keys: { readonly operator: Hex; readonly deployer: Hex }) {
    this.url = anvil.url;
    const [pauser, lister] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key).address);
    this.settings = {
      ORRERY_RPC_URL: anvil.url,
      ORRERY_OPERATOR_KEY: keys.operator,
      ORRERY_DEPLOYER_KEY: keys.deployer,
      ORRERY_PAUSER_ADDRESS: pauser ?? '',
      ORRERY_LISTER_ADDRESS: lister ?? '',
      ORRERY_DISPUTE_SECONDS: '0',
      // The block of a trade is sealed by hand: nobody else trades.
      ORRERY_MARKET_MAKER: 'off',
    };
    this.#anvil = anvil;
  }

  static async start(directory: string): Promise<SealedChain> {
    const flags = ['--chain-id', String(CHAIN_ID), '--hardfork', 'cancun', '--accounts', '0', '--silent'];
    const anvil = await startAnvil({ directory, flags });
    const keys = { operator: generatePrivateKey(), deployer: generatePrivateKey() };
    const chain = new SealedChain(anvil, keys);
    for (const key of Object.values(keys)) {
      await chain.#call('anvil_setBalance', [privateKeyToAccount(key).address, toHex(parseEther('1000000000'))]);
    }
    return chain;
  }

  stop(): Promise<void> {
    return this.#anvil.end();
  }

  /** From now on what is sent waits, until `sealAgain`. */
  async holdBack(): Promise<void> {
    await this.#call('evm_setAutomine', [false]);
  }

  async sealAgain(): Promise<void> {
    await this.#call('evm_mine');
    await this.#call('evm_setAutomine', [true]);
  }

  /** Resolves when the clock has reached the time of the newest block: blocks sealed in quick succession run ahead of it, a second each. */
  async inTime(): Promise<void> {
    await until('the chain is no longer ahead of the clock', async () => Date.now() >= 1_000 * Number((await this.#newest()).timestamp));
  }

  /**
   * Seals a payment of the sender as the first and only one of a block with a lucky hash, at unix second `at`. Not before the time of the
   * newest block; at the same time is as good.
   */
  async sealLuckily(sender: PrivateKeyAccount, { at: timestamp }: { readonly at: number }): Promise<LuckySeal> {
    const nonce = Number(await this.#call('eth_getTransactionCount', [sender.address, 'latest']));
    const payment = { to: SOMEBODY, value: 1n, gas: 21_000n, maxFeePerGas: BASE_FEE, maxPriorityFeePerGas: 0n, nonce, chainId: CHAIN_ID };
    const raw = await sender.signTransaction({ type: 'eip1559', ...payment });
    await this.#call('evm_setAutomine', [false]);
    const before = await this.#call('evm_snapshot');
    const trial = await this.#seal({ raw, timestamp });
    await this.#call('evm_revert', [before]);
    if (hashOf(trial) !== trial.hash) throw new Error('the hash of a header is made of other fields than is thought here');
    await this.#call('evm_setBlockGasLimit', [luckyGasLimit(trial)]);
    const block = await this.#seal({ raw, timestamp });
    await this.#call('evm_setAutomine', [true]);
    return { number: Number(block.number), hash: block.hash, transaction: keccak256(raw) };
  }

  async #seal({ raw, timestamp }: { raw: Hex; timestamp: number }): Promise<Header> {
    await this.#call('anvil_setNextBlockBaseFeePerGas', [toHex(BASE_FEE)]);
    await this.#call('evm_setNextBlockTimestamp', [timestamp]);
    await this.#call('eth_sendRawTransaction', [raw]);
    await this.#call('evm_mine');
    return this.#newest();
  }

  async #newest(): Promise<Header> {
    return (await this.#call('eth_getBlockByNumber', ['latest', false])) as Header;
  }

  #call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return anvilCall(this.url, method, params);
  }
}

/** About one in 6,554 is. */
function luckyGasLimit(header: Header): Hex {
  for (let gasLimit = BigInt(header.gasLimit) + 1n; ; gasLimit += 1n) {
    const tried = toHex(gasLimit);
    if (isLuckyHash(hashOf({ ...header, gasLimit: tried }))) return tried;
  }
}

function hashOf(header: Header): Hash {
  return keccak256(toRlp(FIELDS.map((field) => (NUMBERS.has(field) ? shortest(header[field]) : header[field]))));
}

const shortest = (number: Hex): Hex => (BigInt(number) === 0n ? '0x' : toHex(BigInt(number)));
