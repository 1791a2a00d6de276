/** Everything that the processes on one folder reported over all restarts, to be compared with the remaining history. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCommand, type Applied } from '@orrery/protocol';
import { decodeSnapshot as decodeEngineState } from '../../../core/engine/src/snapshot/snapshot-codec.ts';
import { assertSound } from '../../../core/engine/src/testing/assert-sound.ts';
import { decodeSnapshot } from '../../../services/sequencer/src/snapshot.ts';
import { historyIn } from './history-in.ts';

/** What one process reported before it died. */
export interface Life {
  /** The end of history that it found; `undefined` when it died before it had looked. */
  readonly begin: number | undefined;
  /** Commands in hex, in the order in which they were submitted. */
  readonly sent: readonly string[];
  /** Answers: which place of history, and how many commands were sent before it. */
  readonly done: readonly { readonly seq: number; readonly place: number }[];
}

interface Comparison {
  readonly last: number;
  /** State hashes that the replay compared. */
  readonly checked: number;
  readonly violations: readonly string[];
}

export class Reported {
  #answers = 0;
  #unknown: readonly string[] = [];
  /** In its place each command that must be in history: how many there are only shows at the next start. */
  readonly #commands: string[] = [];
  readonly #violations: string[] = [];
  #life: Life | undefined;

  get answers(): number {
    return this.#answers;
  }

  /** Sent, and not answered until the end: the sender does not know what came of them. */
  get unknown(): readonly string[] {
    return this.#unknown;
  }

  take(life: Life, number: number): void {
    const { begin, sent, done } = life;
    if (begin === undefined) return;
    this.#findEnd(begin, `life ${number}`);
    this.#life = life;
    this.#answers += done.length;
    const answered = new Set(done.map(({ place }) => place));
    this.#unknown = [...sent.filter((_, place) => !answered.has(place)), ...this.#unknown.slice(sent.length)];
    const misplaced = done.filter(({ seq: at, place }) => at !== begin + place + 1);
    for (const { seq: at, place } of misplaced)
      this.#violations.push(`life ${number}: what was sent as number ${place} after ${begin} was answered as command ${at}`);
  }

  /** History as it is now: the commands that were sent, in their order, up to some point not before the last that was answered. */
  async compareWith(directory: string): Promise<Comparison> {
    const { applied, checked } = await historyIn(directory);
    this.#findEnd(applied.length, 'the last start');
    const credited = new Set<string>();
    for (const one of applied) this.#compare(one, credited);
    assertSound(decodeEngineState(stateLeftIn(directory)));
    return { last: applied.length, checked, violations: this.#violations };
  }

  /** `who` found history to end at `end`: this shows which commands of the previous process were applied. */
  #findEnd(end: number, who: string): void {
    const before = this.#commands.length;
    const { sent, done } = this.#life ?? { sent: [], done: [] };
    const answered = Math.max(before, ...done.map(({ seq: at }) => at));
    if (end < answered) this.#violations.push(`${who} found history to end with ${end}, and ${answered} was answered`);
    if (end > before + sent.length) this.#violations.push(`${who} found ${end - before} new commands, and ${sent.length} were sent`);
    this.#commands.push(...sent.slice(0, Math.max(0, end - before)));
    this.#life = undefined;
  }

  /** @param credited the keys of the deposits that are credited, and not suspended since */
  #compare({ seq: at, command, events }: Applied, credited: Set<string>): void {
    if (this.#commands[at - 1] !== Buffer.from(encodeCommand(command)).toString('hex'))
      this.#violations.push(`command ${at} of history is not the one that was sent in its place`);
    if (events[0]?.type === 'CommandRejected') return;
    if (command.type === 'SuspendDeposit') credited.delete(command.key);
    if (command.type !== 'CreditDeposit') return;
    // A deposit in suspense is emitted again when its account is unblocked: only the answers to the deposit itself count.
    const isReported = events.some(({ type }) => type === 'DepositCredited');
    if (isReported === credited.has(command.key))
      this.#violations.push(`the deposit ${command.key} was ${isReported ? 'credited twice' : 'not credited'}`);
    credited.add(command.key);
  }
}

/** By the snapshot of a stop in peace. */
function stateLeftIn(directory: string): Uint8Array {
  const name = readdirSync(join(directory, 'snapshots')).toSorted().at(-1) ?? '';
  return decodeSnapshot(readFileSync(join(directory, 'snapshots', name))).state;
}
