/** What clients asked for and were answered, to be compared with the history that is left: nothing else is looked at. */
import { type Command, encodeCommand, HeartError } from '@orrery/protocol';
import type { Seq } from '@orrery/units';

type Outcome = { readonly kind: 'done'; readonly seq: Seq } | { readonly kind: 'refused' } | { readonly kind: 'unknown' };

export class AskedOrders {
  /** By the bytes of the command, which no other one has. */
  readonly #outcomes = new Map<string, Outcome>();

  /** Submits it once, and keeps what came of it. @returns whether it was done */
  async ask(command: Command, submit: (command: Command) => Promise<Seq>): Promise<boolean> {
    const name = nameOf(command);
    if (this.#outcomes.has(name)) throw new Error('each command that is asked for is another one');
    this.#outcomes.set(name, { kind: 'unknown' });
    try {
      this.#outcomes.set(name, { kind: 'done', seq: await submit(command) });
      return true;
    } catch (error) {
      if (!(error instanceof HeartError)) throw error;
      if (!error.outcomeUnknown) this.#outcomes.set(name, { kind: 'refused' });
      return false;
    }
  }

  count(kind: Outcome['kind']): number {
    return [...this.#outcomes.values()].filter((outcome) => outcome.kind === kind).length;
  }

  /** @returns one sentence for each answer that history does not bear out. */
  compareWith(history: readonly { readonly seq: Seq; readonly command: Command }[]): readonly string[] {
    const places = new Map<string, Seq[]>();
    for (const { seq, command } of history) {
      const name = nameOf(command);
      places.set(name, [...(places.get(name) ?? []), seq]);
    }
    const violations: string[] = [];
    for (const [name, outcome] of this.#outcomes) {
      const found = places.get(name) ?? [];
      if (found.length > 1) violations.push(`a command is history ${found.length} times, as ${found.join(' and ')}`);
      if (outcome.kind === 'done' && found[0] !== outcome.seq)
        violations.push(
          `a command was answered as ${outcome.seq}, and is ${found.length === 0 ? 'not in history' : `command ${String(found[0])}`}`,
        );
      if (outcome.kind === 'refused' && found.length > 0)
        violations.push(`a command was answered as not taken, and is command ${String(found[0])}`);
    }
    return violations;
  }
}

const nameOf = (command: Command): string => Buffer.from(encodeCommand(command)).toString('latin1');
