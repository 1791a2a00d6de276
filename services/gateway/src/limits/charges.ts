/** What each call costs, and whom: everything that arrives is charged before it is judged, so that no refusal is free. */
import type { Principal, RateClass } from '@orrery/api';
import type { DayCounts } from './day-counts.ts';
import { DAY_MS, type Limits, type Rate } from './limits.ts';
import type { Buckets } from './rates.ts';
import type { SharedCounts } from './shared-counts.ts';

export interface ChargePorts {
  readonly limits: Limits;
  readonly buckets: Buckets;
  readonly shared: SharedCounts;
  readonly days: DayCounts;
}

/** Who is charged: by account (or operator) where the rate says so and there is one, else by network. */
export interface Payer {
  readonly network: string;
  readonly name: string | number | undefined;
  readonly tier: Principal['tier'];
}

/** Throws or rejects with 429 what is above a limit. */
export class Charges {
  readonly #ports: ChargePorts;

  constructor(ports: ChargePorts) {
    this.#ports = ports;
  }

  /** What is refused for its credentials or its permission, by network. */
  stranger(network: string): void {
    const { buckets, limits } = this.#ports;
    buckets.take('public', network, limits.rates.standard.public);
  }

  /** One call. A promise where the count is in SQL; orders and reads never wait for it. */
  call(rateClass: RateClass, payer: Payer): Promise<void> | undefined {
    const { perWallet, perDay, count, perMs } = this.#rateOf(rateClass, payer);
    const owner = this.#ownerOf(rateClass, payer);
    if (perWallet !== undefined) return this.#ports.shared.take({ name: rateClass, owner, most: count, perMs });
    this.items(rateClass, payer, 1);
    if (perDay === undefined || rateClass === 'order') return undefined;
    return this.#ports.shared.take({ name: `${rateClass} day`, owner, most: perDay, perMs: DAY_MS });
  }

  /** The items of a batch, at once. */
  items(rateClass: RateClass, payer: Payer, count: number): void {
    const rate = this.#rateOf(rateClass, payer);
    const owner = this.#ownerOf(rateClass, payer);
    this.#ports.buckets.take(rateClass, owner, rate, count);
    if (rateClass === 'order' && rate.perDay !== undefined) this.#ports.days.take('order day', owner, rate.perDay, count);
  }

  /** One attempt to sign in with `wallet`: one wallet's failures leave the others of an office their share. */
  wallet(rateClass: RateClass, payer: Payer, walletOf: () => string): Promise<void> | undefined {
    const { perWallet, perMs } = this.#rateOf(rateClass, payer);
    if (perWallet === undefined) return undefined;
    return this.#ports.shared.take({ name: `${rateClass} wallet`, owner: `${payer.network} ${walletOf()}`, most: perWallet, perMs });
  }

  #rateOf(rateClass: RateClass, { tier }: Payer): Rate {
    return this.#ports.limits.rates[tier][rateClass];
  }

  #ownerOf(rateClass: RateClass, payer: Payer): string | number {
    return this.#rateOf(rateClass, payer).by === 'network' ? payer.network : (payer.name ?? payer.network);
  }
}
