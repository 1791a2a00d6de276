/** The side of the heart that leads: takes commands from other processes, and says that it leads and how far history is durable. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type Heart, HeartError, type Receipt } from '@orrery/protocol';
import { every, systemTimer, type Timer } from '@orrery/sequencer';
import type { HeartReadiness, HistoryTime } from '../program-heart.ts';
import { type HeartTraces, type TakenCommand, TRACE_HEADER } from '../traces/traces.ts';
import { type Answer, beatSubject, decodeSent, encodeAnswer, encodeBeat, endSubject, type Sent, submitSubject } from './wire.ts';

export interface HeartServerOptions {
  readonly heart: Pick<Heart, 'submit' | 'status'> & HistoryTime & HeartReadiness;
  readonly connection: NatsConnection;
  /** Of the subjects of this exchange. */
  readonly prefix: string;
  /** In which the heart leads. */
  readonly epoch: number;
  /** Of the beats; without it that of this machine. */
  readonly timer?: Timer;
  /** Of what is taken, where that is traced. */
  readonly traces?: Pick<HeartTraces, 'taken'> | undefined;
  readonly onTrouble: (error: unknown) => void;
}

const BEAT_MS = 250;
/** A sender may wish to wait longer: its command is taken no later than this, so that no key is kept without an end. */
const LONGEST_MS = 60_000;

interface Kept {
  readonly notAfter: number;
  readonly answer: Promise<Answer>;
}

export class HeartServer {
  readonly #options: HeartServerOptions;
  /** By key, in the order in which they came: a command that is sent again because its answer was lost gets the same answer. */
  readonly #kept = new Map<string, Kept>();
  /** The highest time that was read: a clock that is set back lets nothing in again that was too late. */
  #latestMs = 0;
  readonly #commands: Subscription;
  readonly #ends: Subscription;
  readonly #endBeats: () => void;

  constructor(options: HeartServerOptions) {
    this.#options = options;
    const { connection, prefix, epoch } = options;
    this.#commands = connection.subscribe(submitSubject(prefix, epoch), { callback: (error, message) => this.#hear(error, message) });
    this.#ends = connection.subscribe(endSubject(prefix, epoch), { callback: (error, message) => this.#hearEnd(error, message) });
    this.#endBeats = every(options.timer ?? systemTimer, BEAT_MS, () => this.beat());
    this.beat();
  }

  /** Called after each group too: so followers learn at once what is durable. */
  beat(): void {
    const { heart, connection, prefix, epoch } = this.#options;
    if (connection.isClosed()) return;
    const { seq, clockAheadMs } = heart.status();
    connection.publish(beatSubject(prefix), encodeBeat({ epoch, seq, nowMs: this.#nowMs(), clockAheadMs, unready: heart.unready() }));
  }

  stop(): void {
    this.#endBeats();
    this.#commands.unsubscribe();
    this.#ends.unsubscribe();
  }

  #hearEnd(error: Error | null, message: Msg): void {
    if (error !== null) this.#options.onTrouble(error);
    else if (!this.#options.connection.isClosed()) message.respond(encodeAnswer({ seq: this.#options.heart.status().seq }));
  }

  #hear(error: Error | null, message: Msg): void {
    if (error !== null) {
      this.#options.onTrouble(error);
      return;
    }
    const taken = this.#options.traces?.taken(message.headers?.get(TRACE_HEADER));
    this.#answerTo(message.data, taken).then((answer) => {
      if (!this.#options.connection.isClosed()) message.respond(encodeAnswer(answer));
      taken?.answered();
    }, this.#options.onTrouble);
  }

  #answerTo(bytes: Uint8Array, taken: TakenCommand | undefined): Promise<Answer> {
    let sent: Sent;
    try {
      sent = decodeSent(bytes);
    } catch (cause) {
      this.#options.onTrouble(cause);
      const message = `the command can not be read: ${String(cause)}`;
      return Promise.resolve({ error: new HeartError({ failure: 'unencodable', outcomeUnknown: false, message }) });
    }
    return this.#answerOf(sent, taken);
  }

  #answerOf({ key, notAfter, command }: Sent, taken: TakenCommand | undefined): Promise<Answer> {
    const now = this.#nowMs();
    this.#forget(now);
    const name = Buffer.from(key).toString('latin1');
    const known = this.#kept.get(name);
    if (known !== undefined) return known.answer;
    if (notAfter < now) return Promise.resolve('late');
    const submit = (): Promise<Receipt> => this.#options.heart.submit(command);
    const answer = (taken === undefined ? submit() : taken.submit(command, submit)).then(
      ({ seq }): Answer => ({ seq }),
      (error: unknown): Answer => ({ error: asHeartError(error) }),
    );
    this.#kept.set(name, { notAfter: Math.min(notAfter, now + LONGEST_MS), answer });
    return answer;
  }

  /** What may not be taken any more is not repeated either. */
  #forget(now: number): void {
    for (const [name, { notAfter }] of this.#kept) {
      if (notAfter >= now) return;
      this.#kept.delete(name);
    }
  }

  #nowMs(): number {
    this.#latestMs = Math.max(this.#latestMs, Math.floor(this.#options.heart.nowMs()));
    return this.#latestMs;
  }
}

const asHeartError = (error: unknown): HeartError =>
  error instanceof HeartError ? error : new HeartError({ failure: 'stopped', outcomeUnknown: true, message: String(error), cause: error });
