/** The side of the heart that leads: takes commands from other processes, and says that it lives. */
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type Heart, HeartError } from '@orrery/protocol';
import type { HeartReadiness, HistoryTime } from '../program-heart.ts';
import { type Answer, beatSubject, decodeSent, encodeAnswer, encodeBeat, type Sent, submitSubject } from './wire.ts';

export interface HeartServerOptions {
  readonly heart: Heart & HeartReadiness & HistoryTime;
  readonly connection: NatsConnection;
  /** Of the subjects of this exchange. */
  readonly prefix: string;
  /** In which the heart leads. */
  readonly epoch: number;
  readonly onTrouble: (error: unknown) => void;
}

const BEAT_MS = 250;
/** Answers that are kept for repetitions: more than can be on their way, by what the heart takes. */
const KEPT_ANSWERS = 65_536;

export class HeartServer {
  readonly #options: HeartServerOptions;
  /** By key: a command that is sent again while its answer was lost gets the same one. */
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #commands: Subscription;
  readonly #beating: NodeJS.Timeout;

  constructor(options: HeartServerOptions) {
    this.#options = options;
    const { connection, prefix, epoch } = options;
    this.#commands = connection.subscribe(submitSubject(prefix, epoch), { callback: (error, message) => this.#hear(error, message) });
    this.#beating = setInterval(() => this.beat(), BEAT_MS);
    this.beat();
  }

  beat(): void {
    const { heart, connection, prefix, epoch } = this.#options;
    if (connection.isClosed()) return;
    const { seq, clockAheadMs } = heart.status();
    const nowMs = Math.max(0, Math.floor(heart.nowMs()));
    connection.publish(beatSubject(prefix), encodeBeat({ epoch, seq, nowMs, clockAheadMs, unready: heart.unready() }));
  }

  /** Commands that were taken, repetitions apart, as far as they are remembered. */
  get taken(): number {
    return this.#answers.size;
  }

  stop(): void {
    clearInterval(this.#beating);
    this.#commands.unsubscribe();
  }

  #hear(error: Error | null, message: Msg): void {
    if (error !== null) {
      this.#options.onTrouble(error);
      return;
    }
    let sent: Sent;
    try {
      sent = decodeSent(message.data);
    } catch (cause) {
      this.#options.onTrouble(cause);
      const failure = new HeartError({
        failure: 'unencodable',
        outcomeUnknown: false,
        message: `the command can not be read: ${String(cause)}`,
      });
      message.respond(encodeAnswer({ error: failure }));
      return;
    }
    void this.#answerOf(sent).then((answer) => this.#options.connection.isClosed() || message.respond(encodeAnswer(answer)));
  }

  #answerOf({ key, command }: Sent): Promise<Answer> {
    const name = Buffer.from(key).toString('latin1');
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#options.heart.submit(command).then(
      ({ seq }): Answer => ({ seq }),
      (error: unknown): Answer => ({ error: asHeartError(error) }),
    );
    this.#answers.set(name, answer);
    if (this.#answers.size > KEPT_ANSWERS) for (const oldest of this.#answers.keys()) return this.#forget(oldest, answer);
    return answer;
  }

  #forget(oldest: string, answer: Promise<Answer>): Promise<Answer> {
    this.#answers.delete(oldest);
    return answer;
  }
}

const asHeartError = (error: unknown): HeartError =>
  error instanceof HeartError ? error : new HeartError({ failure: 'stopped', outcomeUnknown: true, message: String(error), cause: error });
