/** How a person calls the exchange: under its token, with its patience, and holding it to the order in which it answers. */
import type { Chance } from '../chance.ts';
import type { Meters } from '../meters.ts';
import type { Witness } from '../oracle/witness.ts';
import { MINUTE, SECOND } from '../plan.ts';
import { Violation } from '../violation.ts';
import type { Outcome, Patience, Remote } from './remote.ts';

export interface VoiceParts {
  readonly name: string;
  readonly token: string;
  readonly remote: Remote;
  readonly chance: Chance;
  readonly witness: Witness;
  readonly meters: Meters;
}

export type Route = Parameters<Remote['call']>[0]['route'];
export type Query = Readonly<Record<string, string>>;

export class Voice {
  readonly #parts: VoiceParts;

  constructor(parts: VoiceParts) {
    this.#parts = parts;
  }

  /** With the check that every call answered before this one was made precedes it in history. */
  async call(call: { readonly route: Route; readonly query?: Query; readonly body?: unknown }): Promise<Outcome> {
    const { remote, token, witness, meters } = this.#parts;
    const before = witness.acknowledged;
    const outcome = await remote.call({ ...call, token }, this.#patience());
    meters.count(`call ${outcome.kind}`);
    if (outcome.kind === 'ok' && outcome.seq !== undefined && outcome.seq !== 0 && outcome.seq <= before)
      throw new Violation('R2', `an answer by command ${outcome.seq} to a call made after command ${before} was acknowledged`);
    return outcome;
  }

  /** Patiently, and not older than all that was acknowledged: all is well, and an answer must come. */
  async ask({ route, query }: { readonly route: Route; readonly query: Query }): Promise<Outcome> {
    const { remote, token, name, witness } = this.#parts;
    const call = { route, query: { ...query, minSeq: String(witness.acknowledged) }, token };
    const outcome = await remote.call(call, { deadlineMs: MINUTE, retryMs: 2 * SECOND });
    if (outcome.kind === 'unknown') throw new Violation('liveness', `${name} is not answered what ${route} says`);
    return outcome;
  }

  /** Every item of all pages. */
  async *pages(route: Route, query: Query): AsyncGenerator<unknown, void> {
    for (let page = 1; ; page += 1) {
      const outcome = await this.ask({ route, query: { ...query, page: String(page) } });
      const items = outcome.kind === 'ok' ? listOf(outcome.data) : [];
      yield* items;
      if (items.length < PAGE) return;
    }
  }

  #patience(): Patience {
    const { chance } = this.#parts;
    return { deadlineMs: chance.magnitude(2 * SECOND, 40 * SECOND), retryMs: chance.magnitude(300, 5 * SECOND) };
  }
}

/** As many as a call gives at once. */
export const PAGE = 100;

/** One family of calls says `items`, the other `list`. */
function listOf(data: unknown): readonly unknown[] {
  if (typeof data !== 'object' || data === null) return [];
  const items: unknown = Reflect.get(data, 'items') ?? Reflect.get(data, 'list');
  return Array.isArray(items) ? items : [];
}
