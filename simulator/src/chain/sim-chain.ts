/**
 * A chain under the simulator's clock, with our vault on it: blocks, a pool of transactions, and branches that are given up for others.
 * The vault is a model of the contract: it takes deposits, and pays what the operator signed, once, until its deadline.
 */
import { NATIVE_TOKEN, withdrawalTypedData, type Deployment, type Withdrawal } from '@orrery/contracts';
import { keccak256, recoverTypedDataAddress, toHex, type Address, type Hex } from 'viem';
import type { Chance } from '../chance.ts';
import { depositedLog, releasedLog, type LogBody } from './vault-logs.ts';

export type Intent =
  | { readonly kind: 'deposit'; readonly token: Address; readonly amount: bigint; readonly recipient: Address }
  | { readonly kind: 'release'; readonly withdrawal: Withdrawal; readonly signature: Hex }
  /** Another transaction, which is nothing to us. */
  | { readonly kind: 'other' };

export interface Transaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly to: Address;
  readonly nonce: number;
  readonly value: bigint;
  readonly maxFee: bigint;
  readonly input: Hex;
  readonly intent: Intent;
  /** Who signed the withdrawal in it. */
  readonly signer: Address | undefined;
}

export interface Mined {
  readonly transaction: Transaction;
  readonly isSuccess: boolean;
  readonly logs: readonly LogBody[];
}

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly mined: readonly Mined[];
  /** After it. */
  readonly state: State;
}

export interface State {
  readonly vault: ReadonlyMap<string, bigint>;
  readonly used: ReadonlySet<string>;
  readonly nonces: ReadonlyMap<string, number>;
}

/** Beyond it a person makes whole what the chain has broken. */
export const DEEPEST_SELF_HEALING = 64;
const POOL_MAX = 200;
const RISE_PERCENT = 110n;

export class SimChain {
  readonly deployment: Deployment;
  readonly operator: Address;
  /** What the vault was given before the chain began. */
  readonly endowment = new Map<string, bigint>();
  baseFee = 1_000_000_000n;
  readonly #chance: Chance;
  readonly #blocks: Block[] = [];
  #pool: Transaction[] = [];
  #branch = 0;

  constructor(options: { deployment: Deployment; operator: Address; chance: Chance; timestamp: number }) {
    this.deployment = options.deployment;
    this.operator = options.operator;
    this.#chance = options.chance;
    const state: State = { vault: new Map(), used: new Set(), nonces: new Map() };
    this.#blocks.push({
      number: 0,
      hash: hashOf('genesis'),
      parentHash: hashOf('nothing'),
      timestamp: options.timestamp,
      mined: [],
      state,
    });
  }

  get head(): Block {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error('a chain has blocks');
    return head;
  }

  get pool(): readonly Transaction[] {
    return this.#pool;
  }

  block(number: number): Block | undefined {
    return this.#blocks[number];
  }

  blockByHash(hash: string): Block | undefined {
    return this.#blocks.findLast((block) => block.hash === hash);
  }

  nonceOf(address: string): number {
    return this.head.state.nonces.get(address.toLowerCase()) ?? 0;
  }

  vaultBalance(token: string, { state }: Block = this.head): bigint {
    const key = token.toLowerCase();
    return (state.vault.get(key) ?? 0n) + (this.endowment.get(key) ?? 0n);
  }

  isUsed(id: string): boolean {
    return this.head.state.used.has(id);
  }

  /** Blocks from the one that holds the transaction to the head, both counted; 0 when none holds it. */
  confirmationsOf(hash: string): number {
    const block = this.#blocks.findLast(({ mined }) => mined.some(({ transaction }) => transaction.hash === hash));
    return block === undefined ? 0 : this.head.number - block.number + 1;
  }

  /** @throws as a node does that does not want it. */
  async submit(transaction: Omit<Transaction, 'signer'>): Promise<void> {
    const { hash, from, nonce, maxFee, intent } = transaction;
    if (this.#pool.some((other) => other.hash === hash)) throw new Error('already known');
    if (nonce < this.nonceOf(from)) throw new Error('nonce too low');
    const rival = this.#pool.find((other) => other.from === from && other.nonce === nonce);
    if (rival !== undefined && maxFee * 100n < rival.maxFee * RISE_PERCENT) throw new Error('replacement transaction underpriced');
    const signer = intent.kind === 'release' ? await this.#signerOf(intent) : undefined;
    this.#pool = [...this.#pool.filter((other) => other !== rival), { ...transaction, signer }].slice(-POOL_MAX);
  }

  /** A node that started again has an empty pool. */
  forgetPool(): number {
    const forgotten = this.#pool.length;
    this.#pool = [];
    return forgotten;
  }

  mine(timestamp: number, options: { readonly all: boolean } = { all: false }): Block {
    const parent = this.head;
    const time = Math.max(timestamp, parent.timestamp + 1);
    const number = parent.number + 1;
    const { mined, state } = this.#include(parent.state, time, options.all);
    const hash = hashOf(`${parent.hash} ${number} ${this.#branch} ${mined.map(({ transaction }) => transaction.hash).join(' ')}`);
    const block = { number, hash, parentHash: parent.hash, timestamp: time, mined, state };
    this.#blocks.push(block);
    return block;
  }

  /**
   * The newest blocks are given up. What was in them waits again; of people's deposits some are gone for good where `drops` says so.
   * As many blocks take their place, the first of them with all that waits.
   */
  reorganise(depth: number, drops: number): void {
    const given = this.#blocks.splice(Math.max(1, this.#blocks.length - depth));
    this.#branch += 1;
    if (depth > DEEPEST_SELF_HEALING) return this.#mineAgain(given);
    const again = given.flatMap(({ mined }) => mined.map(({ transaction }) => transaction));
    const kept = again.filter(({ intent }) => intent.kind !== 'deposit' || !this.#chance.happens(drops));
    this.#pool = [...kept, ...this.#pool.filter(({ hash }) => kept.every((other) => other.hash !== hash))];
    for (const [index, { timestamp }] of given.entries()) this.mine(timestamp, { all: index === 0 || drops === 0 });
  }

  /** The newest blocks are given up, and so are the deposits of people in them: they may be submitted again. */
  loseDeposits(depth: number, required: number): { readonly transactions: readonly Transaction[]; readonly final: number } {
    const { number: head } = this.head;
    const lost = this.#blocks
      .slice(Math.max(1, this.#blocks.length - depth))
      .flatMap(({ mined, number }) =>
        mined.map(({ transaction, isSuccess }) => ({ transaction, isFinal: isSuccess && head - number + 1 >= required })),
      )
      .filter(({ transaction }) => transaction.intent.kind === 'deposit');
    this.reorganise(depth, 1);
    return { transactions: lost.map(({ transaction }) => transaction), final: lost.filter(({ isFinal }) => isFinal).length };
  }

  /** So deep a branch that pays what the first one had not could pay what was refunded since: here each keeps its place, for its fee of then. */
  #mineAgain(given: readonly Block[]): void {
    const [waiting, fee] = [this.#pool, this.baseFee];
    this.baseFee = 0n;
    for (const { timestamp, mined } of given) {
      this.#pool = mined.map(({ transaction }) => transaction);
      this.mine(timestamp, { all: true });
    }
    [this.#pool, this.baseFee] = [waiting, fee];
  }

  #include(before: State, timestamp: number, all: boolean): { mined: readonly Mined[]; state: State } {
    const mined: Mined[] = [];
    const state = { vault: new Map(before.vault), used: new Set(before.used), nonces: new Map(before.nonces) };
    const left: Transaction[] = [];
    for (const transaction of [...this.#pool].sort((one, other) => one.nonce - other.nonce)) {
      const nonce = state.nonces.get(transaction.from) ?? 0;
      if (transaction.nonce < nonce) continue;
      const waits = transaction.nonce > nonce || transaction.maxFee < this.baseFee || (!all && this.#chance.oneIn(4));
      if (waits) {
        left.push(transaction);
        continue;
      }
      state.nonces.set(transaction.from, nonce + 1);
      mined.push(this.#execute(transaction, timestamp, state));
    }
    this.#pool = left;
    return { mined, state: mined.length === 0 ? before : state };
  }

  #execute(transaction: Transaction, timestamp: number, state: { vault: Map<string, bigint>; used: Set<string> }): Mined {
    const { intent, from } = transaction;
    const move = (token: string, change: bigint): void => void state.vault.set(token, (state.vault.get(token) ?? 0n) + change);
    switch (intent.kind) {
      case 'other':
        return { transaction, isSuccess: true, logs: [] };
      case 'deposit':
        move(intent.token, intent.amount);
        return { transaction, isSuccess: true, logs: [depositedLog(this.deployment.vault, { ...intent, from })] };
      case 'release': {
        const { withdrawal } = intent;
        const token = (withdrawal.token === NATIVE_TOKEN ? this.deployment.wrappedNative : withdrawal.token).toLowerCase();
        const stock = (state.vault.get(token) ?? 0n) + (this.endowment.get(token) ?? 0n);
        const isPaid =
          BigInt(timestamp) <= withdrawal.deadline &&
          !state.used.has(withdrawal.id) &&
          transaction.signer === this.operator &&
          stock >= withdrawal.amount;
        if (!isPaid) return { transaction, isSuccess: false, logs: [] };
        state.used.add(withdrawal.id);
        move(token, -withdrawal.amount);
        return { transaction, isSuccess: true, logs: [releasedLog(this.deployment.vault, withdrawal)] };
      }
    }
  }

  async #signerOf({ withdrawal, signature }: Extract<Intent, { kind: 'release' }>): Promise<Address> {
    const { chainId, vault } = this.deployment;
    const signer = await recoverTypedDataAddress({ ...withdrawalTypedData({ chainId, vault, withdrawal }), signature });
    return lower(signer);
  }
}

export const hashOf = (text: string): Hex => keccak256(toHex(text));

export function lower(address: string): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}
