/** Readers of one market's stream, spread over gateways, who go to another gateway now and then. */
import { Stream, type OpenSocket } from '@orrery/sdk';
import { WebSocket } from 'ws';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { until } from '../../../exchange/e2e/until.ts';

/** Each from an address of its own, as the proxy in front of the gateways reports it. */
const openFrom =
  (address: string): OpenSocket =>
  (url) =>
    new WebSocket(url, { headers: { 'x-forwarded-for': address }, perMessageDeflate: false }) as unknown as ReturnType<OpenSocket>;

interface Held {
  readonly url: string;
  readonly stream: Stream;
  isProven: boolean;
  isLeft: boolean;
}

class Subscriber {
  readonly #symbol: string;
  readonly #address: string;
  readonly #onUpdate: () => void;
  readonly #faults: string[];
  #held: Held | undefined;

  constructor(parts: { symbol: string; address: string; onUpdate: () => void; faults: string[] }) {
    this.#symbol = parts.symbol;
    this.#address = parts.address;
    this.#onUpdate = parts.onUpdate;
    this.#faults = parts.faults;
  }

  /** The new connection is proven before the old one is closed. */
  async goTo(url: string): Promise<void> {
    const held = this.#open(url);
    await until('the depth is proven', () => Promise.resolve(held.isProven), { everyMs: 20 });
    this.leave();
    this.#held = held;
  }

  leave(): void {
    if (this.#held === undefined) return;
    this.#held.isLeft = true;
    this.#held.stream.close();
    this.#held = undefined;
  }

  #open(url: string): Held {
    const onFault = (error: Error): void => void this.#faults.push(String(error));
    const stream = new Stream({ baseUrl: url, openSocket: openFrom(this.#address), onFault });
    const held: Held = { url, stream, isProven: false, isLeft: false };
    stream.market(this.#symbol, {
      onDepth: () => {
        held.isProven = true;
        this.#onUpdate();
      },
      onDepthLost: () => {
        if (held.isProven && !held.isLeft) this.#faults.push(`a depth of ${url} could not be proven`);
      },
    });
    return held;
  }
}

export class Subscribers {
  /** Updates that left a depth proven by its checksum, of all of them. */
  updates = 0;
  moves = 0;
  readonly faults: string[] = [];
  readonly #chance: Chance;
  readonly #all: readonly Subscriber[];

  constructor(chance: Chance, { count, symbol }: { readonly count: number; readonly symbol: string }) {
    this.#chance = chance;
    const onUpdate = (): void => void (this.updates += 1);
    this.#all = Array.from({ length: count }, (_, index) => {
      const address = `10.28.${index >> 8}.${index & 255}`;
      return new Subscriber({ symbol, address, onUpdate, faults: this.faults });
    });
  }

  async come(urls: readonly string[]): Promise<void> {
    await Promise.all(this.#all.map((subscriber) => subscriber.goTo(this.#chance.pick(urls))));
  }

  async moveOne(urls: readonly string[]): Promise<void> {
    await this.#chance.pick(this.#all).goTo(this.#chance.pick(urls));
    this.moves += 1;
  }

  leave(): void {
    for (const subscriber of this.#all) subscriber.leave();
  }
}
