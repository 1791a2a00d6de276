/** Remembers what a heart answered, whichever process it was, and holds it against the history that is left. */
import { encodeCommand, type Applied, type Command } from '@orrery/protocol';
import type { Done, Refused } from './conversation.ts';
import { historyIn } from './history-in.ts';
import { NoAnswer, type Servant } from './servant.ts';

/** Of a command whose process ended before it answered. */
export const UNKNOWN = 'unknown';

const hexOf = (command: Command): string => Buffer.from(encodeCommand(command)).toString('hex');

export const isRefusedFor = (answer: Done | Refused | typeof UNKNOWN, failure: Refused['failure']): boolean =>
  answer !== UNKNOWN && 'failure' in answer && answer.failure === failure && !answer.outcomeUnknown;

export const isDone = (answer: Done | Refused | typeof UNKNOWN): answer is Done => answer !== UNKNOWN && 'seq' in answer;

export class Witness {
  /** By place in history. */
  readonly #answered = new Map<number, Command>();
  /** By name of an order: how often it was asked for, less how often it was said that nothing came of that. */
  readonly #open = new Map<string, number>();

  /** Orders that were refused each time they were asked for. */
  get refused(): number {
    return [...this.#open.values()].filter((open) => open === 0).length;
  }

  get lastAnswered(): number {
    return Math.max(0, ...this.#answered.keys());
  }

  async submit(heart: Servant, command: Command): Promise<Done | Refused | typeof UNKNOWN> {
    this.#count(command, 1);
    try {
      const answer = await heart.submit(command);
      if ('seq' in answer) this.#answered.set(answer.seq, command);
      else if (!answer.outcomeUnknown) this.#count(command, -1);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) return UNKNOWN;
      throw error;
    }
  }

  /** Everything that was answered is there in its place, nothing that was refused is, and no order is there twice. */
  async compareWith(directory: string): Promise<{ applied: readonly Applied[]; stateHash: string; violations: readonly string[] }> {
    const { applied, stateHash } = await historyIn(directory);
    const violations: string[] = [];
    for (const [seq, command] of this.#answered) {
      const found = applied[seq - 1];
      if (found === undefined || hexOf(found.command) !== hexOf(command))
        violations.push(`command ${seq} is not the one that was answered`);
    }
    const accepted = new Set<string>();
    for (const { events } of applied) {
      for (const event of events) {
        if (event.type !== 'OrderAccepted') continue;
        const { clientOrderId } = event;
        if (this.#open.get(clientOrderId) === 0) violations.push(`the order ${clientOrderId} was refused, and is in history`);
        if (accepted.has(clientOrderId)) violations.push(`the order ${clientOrderId} was accepted twice`);
        accepted.add(clientOrderId);
      }
    }
    return { applied, stateHash, violations };
  }
  #count(command: Command, asked: 1 | -1): void {
    if (command.type !== 'PlaceOrder') return;
    this.#open.set(command.clientOrderId, (this.#open.get(command.clientOrderId) ?? 0) + asked);
  }
}
