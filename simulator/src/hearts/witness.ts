/** What every program has said of history, compared with what all others said: of one seq each reports the same command. */
import { createHash } from 'node:crypto';
import { type Applied, encodeCommand } from '@orrery/protocol';
import { Violation } from '../violation.ts';

export class Witness {
  /** By seq. */
  readonly #reported = new Map<number, string>();
  readonly #onViolation: (violation: Violation) => void;

  constructor(onViolation: (violation: Violation) => void) {
    this.#onViolation = onViolation;
  }

  get reported(): ReadonlyMap<number, string> {
    return this.#reported;
  }

  hear(batch: readonly Applied[], by: string): void {
    for (const applied of batch) {
      const digest = digestOf(applied);
      const before = this.#reported.get(applied.seq);
      this.#reported.set(applied.seq, digest);
      if (before !== undefined && before !== digest)
        this.#onViolation(new Violation('R7', `${by} reports another command ${applied.seq} than was reported before`));
    }
  }
}

export function digestOf({ seq, at, command, events }: Applied): string {
  const text = JSON.stringify([seq, at, events], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(encodeCommand(command)).update(text).digest('hex');
}
