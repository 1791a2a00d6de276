/** The side of a process that does not lead: finds the heart that does by its beats, and sends it commands. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Msg, type NatsConnection, NoRespondersError, RequestError, type Subscription } from '@nats-io/transport-node';
import { type Command, HeartError } from '@orrery/protocol';
import type { LeaderLink } from '@orrery/sequencer';
import type { Seq } from '@orrery/units';
import { type Beat, beatSubject, decodeAnswer, decodeBeat, encodeSent, KEY_BYTES, submitSubject } from './wire.ts';

export interface HeartLinkOptions {
  readonly connection: NatsConnection;
  /** Of the subjects of this exchange. */
  readonly prefix: string;
  readonly monotonicMs: () => number;
  /** Called with what the heart that leads says of itself. */
  readonly onBeat?: (beat: Beat) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Below the patience of those who wait for an answer of the API. */
const DEADLINE_MS = 5_000;
/** An answer may be lost with a server of NATS: the command is sent again, with its key. */
const ATTEMPT_MS = 1_500;
/** Without a beat for so long, nobody leads. */
const SILENT_MS = 1_500;
const LOOK_MS = 25;

interface Heard {
  readonly beat: Beat;
  readonly at: number;
}

export class HeartLink implements LeaderLink {
  readonly #options: HeartLinkOptions;
  readonly #beats: Subscription;
  #heard: Heard | undefined;

  constructor(options: HeartLinkOptions) {
    this.#options = options;
    this.#beats = options.connection.subscribe(beatSubject(options.prefix), { callback: (error, message) => this.#hear(error, message) });
  }

  stop(): void {
    this.#beats.unsubscribe();
  }

  nowMs(): number | undefined {
    const heard = this.#heard;
    return heard === undefined ? undefined : Math.floor(heard.beat.nowMs + this.#options.monotonicMs() - heard.at);
  }

  clockAheadMs(): number {
    return this.#heard?.beat.clockAheadMs ?? 0;
  }

  unready(): string | undefined {
    if (this.#options.connection.isClosed()) return 'the connection to NATS is closed';
    const leader = this.#leader();
    return leader === undefined ? 'no heart leads at present' : leader.unready;
  }

  async submit(command: Command): Promise<Seq> {
    const data = encoded(command);
    const until = this.#options.monotonicMs() + DEADLINE_MS;
    /** The heart that may have it: after the first that may, no other one is asked. */
    let asked: number | undefined;
    for (;;) {
      const leader = this.#leader();
      if (leader !== undefined) {
        if (asked !== undefined && leader.epoch !== asked) throw unknownOutcome('another heart leads since the command was sent');
        const answer = await this.#request(leader.epoch, data, Math.min(ATTEMPT_MS, until - this.#options.monotonicMs()));
        if (answer === 'lost') asked = leader.epoch;
        else if (answer !== 'undelivered') return answer;
      }
      if (this.#options.monotonicMs() >= until) throw asked === undefined ? nobodyLeads() : unknownOutcome('no answer came in time');
      await sleep(LOOK_MS);
    }
  }

  /** @throws HeartError as the heart that leads answers it */
  async #request(epoch: number, data: Uint8Array, timeout: number): Promise<Seq | 'undelivered' | 'lost'> {
    const { connection, prefix } = this.#options;
    let message: Msg;
    try {
      message = await connection.request(submitSubject(prefix, epoch), data, { timeout: Math.max(1, timeout) });
    } catch (error) {
      // The server had nobody to give it to. Whatever else fails may have come after the command was given on.
      return isUndelivered(error) ? 'undelivered' : 'lost';
    }
    const answer = decodeAnswer(message.data);
    if ('error' in answer) throw answer.error;
    return answer.seq;
  }

  #leader(): Beat | undefined {
    const heard = this.#heard;
    return heard === undefined || this.#options.monotonicMs() - heard.at > SILENT_MS ? undefined : heard.beat;
  }

  #hear(error: Error | null, message: Msg): void {
    try {
      if (error !== null) throw error;
      const beat = decodeBeat(message.data);
      // A heart that was deposed may beat until it finds that out.
      if (this.#heard !== undefined && beat.epoch < this.#heard.beat.epoch) return;
      this.#heard = { beat, at: this.#options.monotonicMs() };
      this.#options.onBeat?.(beat);
    } catch (cause) {
      this.#options.onTrouble(cause);
    }
  }
}

function encoded(command: Command): Uint8Array {
  try {
    return encodeSent({ key: randomBytes(KEY_BYTES), command });
  } catch (cause) {
    throw new HeartError({
      failure: 'unencodable',
      outcomeUnknown: false,
      message: `the command can not be sent: ${String(cause)}`,
      cause,
    });
  }
}

const isUndelivered = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());

const nobodyLeads = (): HeartError =>
  new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'no heart leads at present: the command was sent to nobody' });

const unknownOutcome = (why: string): HeartError => new HeartError({ failure: 'stopped', outcomeUnknown: true, message: why });
