/** The chain's node as the program asks it: JSON-RPC with an answer's delay, and nodes that are away or lag behind. */
import { exchangeVaultAbi, faucetAbi, testTokenAbi } from '@orrery/contracts';
import {
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type Address,
  type Hex,
  type PublicClient,
  type TransactionSerialized,
} from 'viem';
import { keccak256 } from 'viem';
import type { Chance } from '../chance.ts';
import type { Life } from '../life.ts';
import { hashOf, lower, type Block, type Intent, type Mined, type SimChain } from './sim-chain.ts';

const NO_BLOOM: Hex = `0x${'0'.repeat(512)}`;
const NO_ADDRESS: Address = `0x${'0'.repeat(40)}`;
const CAP = 10n ** 30n;

export class ChainNode {
  readonly #chain: SimChain;
  readonly #chance: Chance;
  readonly #answers = new Map<string, (at: Block | undefined) => Hex>();
  /** It does not answer. */
  isDown = false;
  /** Blocks that it has not seen yet. */
  lag = 0;
  /** A planted fault: it reports no payouts. */
  hidesPayouts = false;

  constructor(chain: SimChain, chance: Chance) {
    this.#chain = chain;
    this.#chance = chance;
  }

  /** As the program of this life sees it. */
  connect(life: Life): PublicClient {
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      await life.sleep(this.#chance.magnitude(1, 40));
      if (this.isDown) throw new Error('the node does not answer');
      return this.#answer(method, Array.isArray(params) ? params : []);
    };
    return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
  }

  get #head(): Block {
    return this.#chain.block(Math.max(0, this.#chain.head.number - this.lag)) ?? this.#chain.head;
  }

  #answer(method: string, params: readonly unknown[]): unknown {
    const [first, second] = params;
    switch (method) {
      case 'eth_chainId':
        return numberToHex(this.#chain.deployment.chainId);
      case 'eth_blockNumber':
        return numberToHex(this.#head.number);
      case 'eth_getBlockByNumber': {
        const block = this.#block(first);
        return block === undefined ? null : this.#blockBody(block, second === true);
      }
      case 'eth_getBlockReceipts': {
        const block = this.#chain.blockByHash(String(first));
        return block === undefined ? null : receiptsOf(this.hidesPayouts ? withoutPayouts(block) : block);
      }
      case 'eth_getTransactionCount':
        return numberToHex(this.#head.state.nonces.get(lower(String(first))) ?? 0);
      case 'eth_maxPriorityFeePerGas':
        return numberToHex(1_000_000_000);
      case 'eth_call':
        return this.#call(first, second);
      case 'eth_sendRawTransaction':
        return this.#send(String(first));
      default:
        throw new Error(`the method ${method} does not exist`);
    }
  }

  #block(which: unknown): Block | undefined {
    if (which === 'latest') return this.#head;
    const number = Number(which);
    return number > this.#head.number ? undefined : this.#chain.block(number);
  }

  #blockBody(block: Block, withTransactions: boolean): unknown {
    const { number, hash, parentHash, timestamp, mined } = block;
    const zero = numberToHex(0);
    return {
      number: numberToHex(number),
      hash,
      parentHash,
      timestamp: numberToHex(timestamp),
      baseFeePerGas: numberToHex(this.#chain.baseFee),
      transactions: mined.map((each, index) => (withTransactions ? transactionBody(block, each, index) : each.transaction.hash)),
      logsBloom: NO_BLOOM,
      nonce: '0x0000000000000000',
      sha3Uncles: hash,
      transactionsRoot: hash,
      stateRoot: hash,
      receiptsRoot: hash,
      miner: NO_ADDRESS,
      difficulty: zero,
      extraData: '0x',
      size: zero,
      gasLimit: numberToHex(30_000_000),
      gasUsed: zero,
      uncles: [],
      mixHash: hash,
    };
  }

  /** Decoded once for each question: programs ask the same few over and over. */
  #call(call: unknown, at: unknown): Hex {
    const { to, data } = fieldsOf(call);
    const key = `${to} ${data}`;
    const answer = this.#answers.get(key) ?? this.#question(to, data);
    this.#answers.set(key, answer);
    return answer(this.#blockOfHash(at));
  }

  /** Undefined where the newest state is asked for. */
  #blockOfHash(at: unknown): Block | undefined {
    if (typeof at !== 'object' || at === null || !('blockHash' in at)) return undefined;
    const block = this.#chain.blockByHash(String(at.blockHash));
    if (block === undefined) throw new Error('header not found');
    return block;
  }

  #question(to: Address, data: Hex): (at: Block | undefined) => Hex {
    const { deployment } = this.#chain;
    if (to === lower(deployment.vault)) return this.#vaultQuestion(data);
    if (to === lower(deployment.faucet)) {
      const { functionName } = decodeFunctionData({ abi: faucetAbi, data });
      if (functionName === 'claimableAt') return () => encodeFunctionResult({ abi: faucetAbi, functionName, result: 0n });
    }
    const { functionName } = decodeFunctionData({ abi: testTokenAbi, data });
    if (functionName !== 'balanceOf') throw new Error(`execution reverted: ${functionName}`);
    return (at) => wordOf(this.#chain.vaultBalance(to, at));
  }

  #vaultQuestion(data: Hex): () => Hex {
    const abi = exchangeVaultAbi;
    const { functionName, args } = decodeFunctionData({ abi, data });
    switch (functionName) {
      case 'used':
        return () => wordOf(!this.hidesPayouts && this.#head.state.used.has(args[0]) ? 1n : 0n);
      case 'paused':
        return () => wordOf(0n);
      case 'outflowCaps':
        return () => encodeFunctionResult({ abi, functionName, result: { hourly: CAP, daily: CAP } });
      case 'outflowAvailable':
        return () => wordOf(CAP);
      default:
        throw new Error(`execution reverted: ${functionName}`);
    }
  }

  async #send(raw: string): Promise<Hex> {
    const serialized = raw as TransactionSerialized;
    const { to, nonce = 0, value = 0n, data = '0x', maxFeePerGas = 0n } = parseTransaction(serialized);
    const hash = keccak256(serialized);
    const from = lower(await recoverTransactionAddress({ serializedTransaction: serialized }));
    const receiver = lower(to ?? NO_ADDRESS);
    const intent = this.#intentOf(receiver, data);
    await this.#chain.submit({ hash, from, to: receiver, nonce, value, maxFee: maxFeePerGas, input: data, intent });
    return hash;
  }

  #intentOf(to: Address, data: Hex): Intent {
    if (to !== lower(this.#chain.deployment.vault)) return { kind: 'other' };
    const { functionName, args } = decodeFunctionData({ abi: exchangeVaultAbi, data });
    if (functionName !== 'release') return { kind: 'other' };
    const [withdrawal, signature] = args;
    return { kind: 'release', withdrawal, signature };
  }
}

const wordOf = (value: bigint): Hex => numberToHex(value, { size: 32 });

function fieldsOf(call: unknown): { to: Address; data: Hex } {
  const field = (name: string): string => {
    const value: unknown = typeof call === 'object' && call !== null ? Reflect.get(call, name) : undefined;
    return typeof value === 'string' ? value : '0x';
  };
  return { to: lower(field('to')), data: `0x${field('data').slice(2)}` };
}

function transactionBody({ hash: blockHash, number }: Block, { transaction }: Mined, index: number): unknown {
  const { hash, from, to, nonce, value, maxFee, input } = transaction;
  return {
    hash,
    from,
    to,
    input,
    blockHash,
    blockNumber: numberToHex(number),
    transactionIndex: numberToHex(index),
    nonce: numberToHex(nonce),
    value: numberToHex(value),
    gas: numberToHex(21_000),
    maxFeePerGas: numberToHex(maxFee),
    maxPriorityFeePerGas: numberToHex(1),
    type: '0x2',
    accessList: [],
    v: '0x0',
    r: hashOf('r'),
    s: hashOf('s'),
  };
}

function withoutPayouts(block: Block): Block {
  const mined = block.mined.map((each) => (each.transaction.intent.kind === 'release' ? { ...each, logs: [] } : each));
  return { ...block, mined };
}

function receiptsOf({ hash: blockHash, number, mined }: Block): unknown {
  let logIndex = 0;
  return mined.map(({ transaction, isSuccess, logs }, index) => ({
    blockHash,
    blockNumber: numberToHex(number),
    transactionHash: transaction.hash,
    transactionIndex: numberToHex(index),
    from: transaction.from,
    to: transaction.to,
    status: isSuccess ? '0x1' : '0x0',
    contractAddress: null,
    cumulativeGasUsed: '0x0',
    gasUsed: '0x0',
    effectiveGasPrice: '0x0',
    logsBloom: NO_BLOOM,
    type: '0x2',
    logs: logs.map((log) => ({
      ...log,
      blockHash,
      blockNumber: numberToHex(number),
      transactionHash: transaction.hash,
      transactionIndex: numberToHex(index),
      logIndex: numberToHex(logIndex++),
      removed: false,
    })),
  }));
}
