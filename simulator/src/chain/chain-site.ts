/** Where the chain is made: its deployment, its clock of blocks, its node, and people who deposit. */
import type { Deployment } from '@orrery/contracts';
import { ASSETS } from '@orrery/exchange/listing';
import { assert } from '@orrery/units';
import { keccak256, toHex, type Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Chance } from '../chance.ts';
import { MINUTE, SECOND, type Swarm } from '../plan.ts';
import type { Timeline } from '../timeline.ts';
import { ChainNode } from './node.ts';
import { hashOf, lower, SimChain, type Intent } from './sim-chain.ts';

const CHAIN_ID = 138_565;
const SHAKEN_MS = 2 * MINUTE;
/** Of nothing: it signs in a simulation only. */
export const OPERATOR = privateKeyToAccount(keccak256(toHex('the operator of a simulation')));
/** One coin of each kind; the last one is the chain's own coin, wrapped. */
export const COINS = ['USDC', 'BTC', 'WSOSO'];

const addressOf = (name: string): Address => lower(keccak256(toHex(name)).slice(0, 42));

function deployment(): Deployment {
  const tokens = COINS.map((code) => {
    const asset = ASSETS.find((each) => each.code === code);
    assert(asset !== undefined, `${code} is listed`);
    return { code, address: addressOf(`token ${code}`), decimals: asset.decimals };
  });
  return {
    chainId: CHAIN_ID,
    fromBlock: 0,
    vault: addressOf('vault'),
    faucet: addressOf('faucet'),
    wrappedNative: addressOf('token WSOSO'),
    tokens,
    pairs: [],
    setUp: { deployer: OPERATOR.address, nextNonce: 0 },
  };
}

export class ChainSite {
  readonly chain: SimChain;
  readonly node: ChainNode;
  readonly confirmations: number;
  readonly payableSeconds: number;
  isStalled = false;
  #shakenUntil = 0;
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #beginning: number;
  readonly #blockMs: number;
  #deposits = 0;

  constructor(parts: { timeline: Timeline; chance: Chance; swarm: Swarm; beginning: number }) {
    const { timeline, chance, swarm, beginning } = parts;
    this.#timeline = timeline;
    this.#chance = chance.split('producer');
    this.#beginning = beginning;
    this.#blockMs = swarm.blockMs;
    this.confirmations = swarm.confirmations;
    this.payableSeconds = swarm.payableSeconds;
    this.chain = new SimChain({
      deployment: deployment(),
      operator: lower(OPERATOR.address),
      chance: chance.split('chain'),
      timestamp: Math.floor(beginning / SECOND),
    });
    this.node = new ChainNode(this.chain, chance.split('node'));
  }

  /** Confirmations, a block's own counted, at which money may move. */
  get required(): number {
    return this.confirmations === 1 ? 1 : this.confirmations + 1;
  }

  get blockMs(): number {
    return this.#blockMs;
  }

  produce(): void {
    const next = this.#blockMs * (0.5 + this.#chance.unit());
    this.#timeline.after(next, () => {
      if (!this.isStalled) this.chain.mine(Math.floor((this.#beginning + this.#timeline.now) / SECOND));
      this.produce();
    });
  }

  /** From an unused address, so that a lost transaction blocks no other. */
  async deposit(options: { readonly recipient: string; readonly coin: string; readonly amount: bigint }): Promise<void> {
    this.#deposits += 1;
    const hash = hashOf(`deposit ${this.#deposits}`);
    const { vault } = this.chain.deployment;
    await this.chain.submit({
      hash,
      from: addressOf(`payer ${this.#deposits}`),
      to: vault,
      nonce: 0,
      value: 0n,
      maxFee: 10n ** 18n,
      input: '0x',
      intent: { kind: 'deposit', token: this.tokenOf(options.coin), amount: options.amount, recipient: lower(options.recipient) },
    });
  }

  /** A final block was reverted so recently that an answer may still describe the old branch. */
  get isShaken(): boolean {
    return this.#timeline.now < this.#shakenUntil;
  }

  /** Answers what kinds were in it that were final. */
  reorganise({ depth, drops }: { readonly depth: number; readonly drops: number }): ReadonlySet<Intent['kind']> {
    const { head } = this.chain;
    const final = new Set<Intent['kind']>();
    for (let number = Math.max(1, head.number - depth + 1); number <= head.number - this.required + 1; number += 1) {
      for (const { transaction, isSuccess } of this.chain.block(number)?.mined ?? []) if (isSuccess) final.add(transaction.intent.kind);
    }
    this.chain.reorganise(depth, drops);
    if (depth > this.confirmations) this.#shakenUntil = this.#timeline.now + SHAKEN_MS;
    return final;
  }

  /** @returns how many of the deposits in it were final, and how they come back. */
  loseDeposits(depth: number): { readonly final: number; readonly bringBack: () => void } {
    const lost = this.chain.loseDeposits(depth, this.required);
    this.#shakenUntil = this.#timeline.now + SHAKEN_MS;
    const bringBack = (): void => {
      for (const { signer: _, ...transaction } of lost.transactions) void this.chain.submit(transaction).catch(() => undefined);
    };
    return { final: lost.final, bringBack };
  }

  tokenOf(coin: string): Address {
    const token = this.chain.deployment.tokens.find(({ code }) => code === coin);
    assert(token !== undefined, `${coin} is deployed`);
    return token.address;
  }

  heal(): void {
    this.isStalled = false;
    this.node.isDown = false;
    this.node.lag = 0;
    this.chain.baseFee = 1_000_000_000n;
  }
}
