/** A heart that has some of the markets: an engine and a journal, whose end is lost with the process when it is not synced yet. */
import { createEngine, type Engine } from '@orrery/engine';
import type { Command, Event, Sequenced, WithdrawalHeld } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';
import { isDeepStrictEqual } from 'node:util';
import { Violation } from '../violation.ts';

/** Bounds what one command leaves to do. */
const CONTINUATIONS = 1_000;

interface Entry {
  readonly sequenced: Sequenced;
  readonly events: readonly Event[];
}

interface Waiting {
  readonly events: readonly Event[];
  readonly hear: (events: readonly Event[]) => void;
}

export class ApartHeart {
  readonly name: string;
  #engine: Engine = createEngine();
  readonly #synced: Entry[] = [];
  #unsynced: Entry[] = [];
  #waiting: Waiting[] = [];
  readonly #inTransit = new Map<string, WithdrawalHeld>();
  readonly #onEvent: (event: Event) => void;

  /** @param onEvent hears what is synced, in order */
  constructor(name: string, onEvent: (event: Event) => void) {
    this.name = name;
    this.#onEvent = onEvent;
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Money that has left an account here and is not settled, by its key, as far as it is synced: nothing else is history. */
  get inTransit(): readonly WithdrawalHeld[] {
    return [...this.#inTransit.values()];
  }

  /** Also of what a crash would take back. */
  get uncertain(): readonly Event[] {
    return this.#unsynced.flatMap(({ events }) => events);
  }

  /** @param hear is called once it is synced; never, when the heart dies before */
  submit(command: Command, hear: Waiting['hear'] = () => undefined): void {
    const events = this.#apply(command);
    for (let left = this.#engine.continuation(), count = 0; left !== undefined; left = this.#engine.continuation(), count += 1) {
      if (count > CONTINUATIONS) throw new Violation('E3', `${this.name} has no end of ${command.type}`);
      this.#apply(left);
    }
    this.#waiting.push({ events, hear });
  }

  sync(): void {
    const synced = this.#unsynced;
    this.#unsynced = [];
    this.#synced.push(...synced);
    for (const { events } of synced) for (const event of events) this.#follow(event);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { events, hear } of waiting) hear(events);
  }

  /** The next process replays what is synced, and must find what was found before. */
  crash(): void {
    this.#unsynced = [];
    this.#waiting = [];
    this.#engine = createEngine();
    for (const { sequenced, events } of this.#synced)
      if (!isDeepStrictEqual(this.#engine.apply(sequenced), events))
        throw new Violation('E1', `${this.name} replays ${sequenced.command.type} ${sequenced.seq} to other events`);
  }

  #follow(event: Event): void {
    if (event.type === 'WithdrawalHeld') this.#inTransit.set(event.withdrawalId, event);
    if (event.type === 'WithdrawalPosted' || event.type === 'WithdrawalRefunded') this.#inTransit.delete(event.withdrawalId);
    this.#onEvent(event);
  }

  #apply(command: Command): readonly Event[] {
    const at = this.#synced.length + this.#unsynced.length + 1;
    const sequenced = { seq: seq(at), at: millis(at), command };
    const events = this.#engine.apply(sequenced);
    this.#unsynced.push({ sequenced, events });
    return events;
  }
}
