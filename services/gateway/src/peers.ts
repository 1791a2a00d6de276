/**
 * What processes that serve callers say of themselves to each other: who has many streams open at each, and whether somebody is there. A stream is counted by all
 * of them a second later; the house, which quotes in one of them, is awake while somebody is at any.
 */
import { randomUUID } from 'node:crypto';
import type { AccountId } from '@orrery/units';
import type { Limits } from './limits/limits.ts';
import type { Peers } from '@orrery/foundation';

export const PRESENCE_SENT_MS = 1_000;
/** A process that has said nothing for this long has ended, and its streams with it. */
export const PRESENCE_KEPT_MS = 3_500;
/** Whose streams at one process are below this part of what is allowed is not worth a message. */
const WORTH_SENDING = 1 / 8;

/** Open streams, by network address and by account. */
export interface OpenStreams {
  readonly networks: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<AccountId, number>;
}

interface PresenceMessage {
  readonly presence: {
    readonly from: string;
    readonly networks: readonly (readonly [string, number])[];
    readonly accounts: readonly (readonly [AccountId, number])[];
    /** Somebody but the house was there since the last message. */
    readonly isAttended: boolean;
  };
}

interface Heard extends OpenStreams {
  readonly at: number;
}

interface PresenceParts {
  readonly peers: Peers;
  readonly limits: Pick<Limits['stream'], 'connectionsPerNetwork' | 'connectionsPerAccount'>;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly onAttended: () => void;
}

export class SharedPresence {
  readonly #parts: PresenceParts;
  readonly #from = randomUUID();
  readonly #heard = new Map<string, Heard>();
  readonly #endListening: () => void;
  #sending: NodeJS.Timeout | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
    this.#endListening = parts.peers.onMessage((message) => this.#hear(message));
  }

  /** @param own is asked before each message */
  begin(own: () => OpenStreams & { readonly isAttended: boolean }): void {
    this.#sending = setInterval(() => this.#send(own()), PRESENCE_SENT_MS).unref();
  }

  /** Streams that other processes have open for it. */
  ofNetwork(network: string): number {
    return this.#sum(({ networks }) => networks.get(network));
  }

  ofAccount(account: AccountId): number {
    return this.#sum(({ accounts }) => accounts.get(account));
  }

  close(): void {
    clearInterval(this.#sending);
    this.#endListening();
  }

  #send({ networks, accounts, isAttended }: OpenStreams & { readonly isAttended: boolean }): void {
    const { connectionsPerNetwork, connectionsPerAccount } = this.#parts.limits;
    const presence = {
      from: this.#from,
      networks: [...networks].filter(([, count]) => count > connectionsPerNetwork * WORTH_SENDING),
      accounts: [...accounts].filter(([, count]) => count > connectionsPerAccount * WORTH_SENDING),
      isAttended,
    };
    this.#parts.peers.send(JSON.stringify({ presence } satisfies PresenceMessage));
  }

  #hear(message: string): void {
    const { presence } = JSON.parse(message) as Partial<PresenceMessage>;
    if (presence === undefined) return;
    const { from, networks, accounts, isAttended } = presence;
    const now = this.#parts.now();
    for (const [name, { at }] of this.#heard) if (now - at > PRESENCE_KEPT_MS) this.#heard.delete(name);
    this.#heard.set(from, { networks: new Map(networks), accounts: new Map(accounts), at: now });
    if (isAttended) this.#parts.onAttended();
  }

  #sum(countOf: (heard: Heard) => number | undefined): number {
    const now = this.#parts.now();
    let sum = 0;
    for (const heard of this.#heard.values()) if (now - heard.at <= PRESENCE_KEPT_MS) sum += countOf(heard) ?? 0;
    return sum;
  }
}
