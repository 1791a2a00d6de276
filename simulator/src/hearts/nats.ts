/**
 * A model of NATS, as far as hearts and gateways use it: each message is delivered once or never, in the order of its sender, to those that listen just then. A
 * client that is cut off keeps what it publishes, and sends it when it is back: so the words of a heart that was deposed may come late.
 */
import { type Msg, type NatsConnection, NoRespondersError, type RequestOptions, type Subscription } from '@nats-io/transport-node';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';
import type { SimProcess } from './process.ts';
import type { Cuts } from './wire.ts';

/** Until the server takes a silent client for gone. */
const GONE_MS = 500;
/** How often a client that is cut off looks for a server. */
const AGAIN_MS = 250;
/** One message of this number is lost with a connection that breaks. */
const LOST = 500;

interface Sent {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Of one who waits for an answer. */
  readonly reply: ((answer: Uint8Array | 'nobody') => void) | undefined;
}

interface Listener {
  readonly client: SimNatsClient;
  readonly hear: (sent: Sent) => void;
}

export interface NatsParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  /** Machines that are cut off from it. */
  readonly cuts: Cuts;
}

export class SimNats {
  readonly #parts: NatsParts;
  readonly #listeners = new Map<string, Set<Listener>>();
  isUp = true;

  constructor(parts: NatsParts) {
    this.#parts = parts;
  }

  connect(process: SimProcess, chance: Chance): NatsConnection {
    const client = new SimNatsClient({ ...this.#parts, chance, nats: this, process });
    process.onEnd(() => {
      this.#parts.timeline.after(GONE_MS, () => client.drop());
    });
    return client as unknown as NatsConnection;
  }

  reaches(process: SimProcess): boolean {
    return this.isUp && !this.#parts.cuts.has(process.machine.name);
  }

  listen(subject: string, listener: Listener): () => void {
    const all = this.#listeners.get(subject) ?? new Set();
    this.#listeners.set(subject, all.add(listener));
    return () => all.delete(listener);
  }

  /** It has reached the server. */
  route(sent: Sent): void {
    const listeners = [...(this.#listeners.get(sent.subject) ?? [])];
    if (listeners.length === 0) sent.reply?.('nobody');
    for (const { client, hear } of listeners) client.deliver(() => hear(sent));
  }
}

interface ClientParts extends NatsParts {
  readonly nats: SimNats;
  readonly process: SimProcess;
}

class SimNatsClient {
  readonly info = undefined;
  readonly #parts: ClientParts;
  readonly #endings = new Set<() => void>();
  /** Published while there was no server, or behind that. */
  #kept: Sent[] = [];
  #outAt = 0;
  #inAt = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  isClosed(): boolean {
    return false;
  }

  subscribe(subject: string, { callback }: { callback: (error: Error | null, message: Msg) => void }): Pick<Subscription, 'unsubscribe'> {
    const end = this.#parts.nats.listen(subject, { client: this, hear: (sent) => callback(null, this.#messageOf(sent)) });
    this.#endings.add(end);
    return { unsubscribe: end };
  }

  publish(subject: string, data: Uint8Array): void {
    this.#send({ subject, data, reply: undefined });
  }

  request(subject: string, data: Uint8Array, { timeout }: RequestOptions): Promise<Msg> {
    const { process } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    const cancel = process.after(timeout, () => reject(new Error('timeout')));
    const reply = (answer: Uint8Array | 'nobody'): void => {
      this.deliver(() => {
        cancel();
        if (answer === 'nobody') reject(new NoRespondersError(subject));
        else resolve({ data: answer } as Msg);
      });
    };
    this.#send({ subject, data, reply });
    return promise;
  }

  /** The server sends it to this client. */
  deliver(act: () => void): void {
    const { timeline, nats, process, chance } = this.#parts;
    const isLost = chance.oneIn(LOST);
    this.#inAt = Math.max(this.#inAt, timeline.now + this.#delay());
    timeline.at(this.#inAt, () => {
      if (!isLost && nats.reaches(process)) process.enter(act);
    });
  }

  /** Nothing is delivered to it any more. */
  drop(): void {
    for (const end of this.#endings) end();
  }

  #messageOf({ data, reply }: Sent): Msg {
    const respond = (answer: Uint8Array): boolean => {
      this.#send({ subject: '', data: answer, reply: (sent) => reply?.(sent) });
      return true;
    };
    return { data, respond } as Msg;
  }

  #send(sent: Sent): void {
    const { nats, process } = this.#parts;
    if (this.#kept.length > 0 || !nats.reaches(process)) this.#keep(sent);
    else this.#sendNow(sent);
  }

  #keep(sent: Sent): void {
    this.#kept.push(sent);
    if (this.#kept.length === 1) this.#sendKeptLater();
  }

  #sendKeptLater(): void {
    const { nats, process } = this.#parts;
    process.after(AGAIN_MS, () => {
      if (!nats.reaches(process)) return this.#sendKeptLater();
      for (const sent of this.#kept.splice(0)) this.#sendNow(sent);
    });
  }

  #sendNow(sent: Sent): void {
    const { timeline, nats, process, chance } = this.#parts;
    const isLost = chance.oneIn(LOST);
    this.#outAt = Math.max(this.#outAt, timeline.now + this.#delay());
    timeline.at(this.#outAt, () => {
      if (isLost || !nats.reaches(process)) return;
      // An answer goes to the one who waits for it, under a subject of its own.
      if (sent.subject === '') sent.reply?.(sent.data);
      else nats.route(sent);
    });
  }

  #delay(): number {
    return this.#parts.chance.magnitude(0.1, 2);
  }
}
