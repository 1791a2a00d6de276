/** The side of a process that does not lead: finds the heart that does by its beats, and sends it commands. */
import { randomBytes } from 'node:crypto';
import {
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  RequestError,
  type RequestOptions,
  type Subscription,
} from '@nats-io/transport-node';
import { type Command, HeartError } from '@orrery/protocol';
import { type LeaderLink, sleepBy, systemTimer, type Timer } from '@orrery/sequencer';
import type { Seq } from '@orrery/units';
import { type HeartTraces, type Sending, type SendingEnd, TRACE_HEADER } from '../traces/traces.ts';
import type { HeardEnd } from './heard-end.ts';
import { type Answer, type Beat, beatSubject, decodeAnswer, decodeBeat, encodeSent, endSubject, KEY_BYTES, submitSubject } from './wire.ts';

export interface HeartLinkOptions {
  readonly connection: NatsConnection;
  /** Of the subjects of this exchange. */
  readonly prefix: string;
  readonly monotonicMs: () => number;
  /** Without it that of this machine. */
  readonly timer?: Timer;
  /** Is moved by each beat and each answer: for a replica that has no other source of it. */
  readonly end?: HeardEnd;
  /** Of what is sent, where that is traced. */
  readonly traces?: Pick<HeartTraces, 'sending'> | undefined;
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds from the call to the answer or the error; below the patience of those who wait for an answer of the API. */
  readonly deadlineMs?: number;
  /** Milliseconds until a command whose answer did not come is sent again, under the same key. */
  readonly attemptMs?: number;
}

const DEADLINE_MS = 5_000;
const ATTEMPT_MS = 1_500;
/** Without a beat for this long, nobody leads. */
const SILENT_MS = 1_500;
const LOOK_MS = 25;

interface Heard {
  readonly beat: Beat;
  readonly at: number;
}

interface Waiting {
  readonly until: number;
  readonly resolve: (end: Seq) => void;
  readonly reject: (error: HeartError) => void;
}

/** `undelivered`: no server gave it to anybody. `lost`: it may have arrived. */
type Outcome = Answer | 'undelivered' | 'lost';

export class HeartLink implements LeaderLink {
  readonly #options: HeartLinkOptions;
  readonly #beats: Subscription;
  readonly #first = Promise.withResolvers<void>();
  #heard: Heard | undefined;
  /** Who wants to know how far history goes. */
  readonly #waiting = new Set<Waiting>();
  #isAsking = false;

  constructor(options: HeartLinkOptions) {
    this.#options = options;
    this.#beats = options.connection.subscribe(beatSubject(options.prefix), { callback: (error, message) => this.#hear(error, message) });
  }

  /** Resolves with the first beat: from then on it is known how far history goes. */
  get found(): Promise<void> {
    return this.#first.promise;
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
    const leader = this.#leader();
    return leader === undefined ? 'no heart leads at present' : leader.unready;
  }

  /** One key, and one heart: a command that may have reached one is never sent to the next. */
  async submit(command: Command): Promise<Seq> {
    const { monotonicMs, deadlineMs = DEADLINE_MS, attemptMs = ATTEMPT_MS } = this.#options;
    const until = monotonicMs() + deadlineMs;
    const key = randomBytes(KEY_BYTES);
    let sent: { readonly bytes: Uint8Array; readonly mayHaveArrivedIn: number | undefined } | undefined;
    for (;;) {
      const leader = this.#leader();
      if (leader !== undefined) {
        if (sent?.mayHaveArrivedIn !== undefined && sent.mayHaveArrivedIn !== leader.epoch)
          throw unknownOutcome('another heart leads since the command was sent');
        const restMs = Math.max(1, until - monotonicMs());
        sent ??= { bytes: this.#encoded(command, { key, restMs }), mayHaveArrivedIn: undefined };
        const outcome = await this.#request(leader.epoch, sent.bytes, Math.min(attemptMs, restMs));
        if (outcome === 'lost') sent = { ...sent, mayHaveArrivedIn: leader.epoch };
        else if (outcome !== 'undelivered') return this.#settle(outcome, { isRepeated: sent.mayHaveArrivedIn !== undefined });
      }
      if (monotonicMs() >= until) throw sent?.mayHaveArrivedIn === undefined ? nobodyLeads() : unknownOutcome('no answer came in time');
      await sleepBy(this.#options.timer ?? systemTimer, LOOK_MS);
    }
  }

  /** One question is on its way at a time, for all who wait when it is asked. */
  end(): Promise<Seq> {
    const { monotonicMs, deadlineMs = DEADLINE_MS } = this.#options;
    return new Promise((resolve, reject) => {
      this.#waiting.add({ until: monotonicMs() + deadlineMs, resolve, reject });
      if (!this.#isAsking) void this.#askEnds();
    });
  }

  async #askEnds(): Promise<void> {
    const { monotonicMs, timer = systemTimer } = this.#options;
    this.#isAsking = true;
    while (this.#waiting.size > 0) {
      const asking = [...this.#waiting];
      const end = await this.#askEnd(Math.min(...asking.map(({ until }) => until)));
      for (const each of asking) {
        if (end === undefined && monotonicMs() < each.until) continue;
        this.#waiting.delete(each);
        if (end === undefined) each.reject(nobodyLeads());
        else each.resolve(end);
      }
      if (end === undefined) await sleepBy(timer, LOOK_MS);
    }
    this.#isAsking = false;
  }

  /** @returns undefined where no heart answers that leads before and after it */
  async #askEnd(until: number): Promise<Seq | undefined> {
    const { monotonicMs, prefix, attemptMs = ATTEMPT_MS } = this.#options;
    const leader = this.#leader();
    if (leader === undefined) return undefined;
    const timeout = Math.max(1, Math.min(attemptMs, until - monotonicMs()));
    const answer = await this.#answerTo(endSubject(prefix, leader.epoch), new Uint8Array(), { timeout });
    if (typeof answer === 'string' || 'error' in answer || this.#leader()?.epoch !== leader.epoch) return undefined;
    this.#options.end?.report(answer.seq);
    return answer.seq;
  }

  /** @throws HeartError as the heart that leads answers it; what came late may have come in time before */
  #settle(answer: Answer, { isRepeated }: { isRepeated: boolean }): Seq {
    if (answer === 'late') {
      if (isRepeated) throw unknownOutcome('no answer came in time');
      throw new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'the command came after its time: it was not taken' });
    }
    if ('error' in answer) throw answer.error;
    this.#options.end?.report(answer.seq);
    return answer.seq;
  }

  async #request(epoch: number, data: Uint8Array, timeout: number): Promise<Outcome> {
    const sending = this.#options.traces?.sending();
    const subject = submitSubject(this.#options.prefix, epoch);
    const outcome = await this.#answerTo(subject, data, { timeout, ...(sending !== undefined && { headers: traceHeaders(sending) }) });
    sending?.end(endOf(outcome));
    return outcome;
  }

  async #answerTo(subject: string, data: Uint8Array, options: RequestOptions): Promise<Outcome> {
    const { connection, onTrouble } = this.#options;
    let message: Msg;
    try {
      message = await connection.request(subject, data, options);
    } catch (error) {
      return isUndelivered(error) ? 'undelivered' : 'lost';
    }
    try {
      return decodeAnswer(message.data);
    } catch (cause) {
      onTrouble(cause);
      return 'lost';
    }
  }

  /** @throws HeartError when no message can hold it */
  #encoded(command: Command, { key, restMs }: { key: Uint8Array; restMs: number }): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = encodeSent({ key, notAfter: Math.ceil((this.nowMs() ?? 0) + restMs), command });
    } catch (cause) {
      throw unencodable(String(cause), cause);
    }
    const most = this.#options.connection.info?.max_payload;
    if (most !== undefined && bytes.length > most) throw unencodable(`it has ${bytes.length} bytes, and a message holds ${most}`);
    return bytes;
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
      this.#options.end?.report(beat.seq);
      this.#first.resolve();
    } catch (cause) {
      this.#options.onTrouble(cause);
    }
  }
}

const isUndelivered = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());

const unencodable = (why: string, cause?: unknown): HeartError =>
  new HeartError({ failure: 'unencodable', outcomeUnknown: false, message: `the command can not be sent: ${why}`, cause });

const nobodyLeads = (): HeartError =>
  new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'no heart leads at present: nothing was sent to one' });

const unknownOutcome = (why: string): HeartError => new HeartError({ failure: 'stopped', outcomeUnknown: true, message: why });

function traceHeaders({ traceparent }: Sending): MsgHdrs {
  const all = headers();
  all.set(TRACE_HEADER, traceparent);
  return all;
}

function endOf(outcome: Outcome): SendingEnd {
  if (typeof outcome === 'string') return outcome;
  return 'error' in outcome ? 'refused' : 'answered';
}
