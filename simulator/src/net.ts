/** The network between clients and the exchange: it loses, repeats, delays and overtakes. */
import type { Chance } from './chance.ts';
import type { Timeline } from './timeline.ts';

export interface Weather {
  /** Of messages, the part that is lost. */
  readonly loss: number;
  /** Of messages, the part that arrives a second time, later. */
  readonly repeats: number;
  /** Milliseconds that a message takes as a rule. */
  readonly delayMs: number;
  /** Of messages, the part that takes much longer. */
  readonly stragglers: number;
}

const CALM: Weather = { loss: 0, repeats: 0, delayMs: 5, stragglers: 0 };
const STRAGGLER_MS = 5_000;

export class Net {
  weather: Weather = CALM;
  /** Clients that are cut off from the exchange. */
  readonly cutOff = new Set<string>();
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #senders = new Map<string, Chance>();
  lost = 0;
  repeated = 0;
  stopped = 0;

  constructor(timeline: Timeline, chance: Chance) {
    this.#timeline = timeline;
    this.#chance = chance;
  }

  /** Between this client and the exchange, in either direction: `sender` says whose chances are taken. */
  send(message: { readonly client: string; readonly sender: string }, deliver: () => void): void {
    const chance = this.#chanceOf(message.sender);
    const { loss, repeats } = this.weather;
    // Drawn whatever becomes of it, so that weather that changes shifts no later message.
    const [isLost, isRepeated, first, second] = [chance.happens(loss), chance.happens(repeats), this.#delay(chance), this.#delay(chance)];
    if (this.cutOff.has(message.client)) {
      this.stopped += 1;
      return;
    }
    if (isLost) this.lost += 1;
    else this.#timeline.after(first, deliver);
    if (!isRepeated) return;
    this.repeated += 1;
    this.#timeline.after(first + second, deliver);
  }

  clearUp(): void {
    this.weather = CALM;
    this.cutOff.clear();
  }

  #delay(chance: Chance): number {
    const { delayMs, stragglers } = this.weather;
    const straggles = chance.happens(stragglers);
    const usual = chance.magnitude(delayMs / 3, delayMs * 3);
    return straggles ? chance.magnitude(delayMs, STRAGGLER_MS) : usual;
  }

  #chanceOf(sender: string): Chance {
    const chance = this.#senders.get(sender) ?? this.#chance.split(sender);
    this.#senders.set(sender, chance);
    return chance;
  }
}
