/**
 * What testers did to contracts: remembered for a while, and a site message to everybody who holds the contract. It is sent to the other processes, each of which
 * reports it to its own streams; one that was not there then does not know of it.
 */
import { randomUUID } from 'node:crypto';
import type { PracticeAction } from '@orrery/api';
import type { Contract } from '@orrery/protocol';
import { millis, type AccountId, type Millis } from '@orrery/units';
import type { Floor } from '../floor.ts';
import type { Peers } from '@orrery/foundation';
import type { AccountNews, MessageNews, NewsSource } from '../ports.ts';

/** The newest ones. */
const REMEMBERED = 50;

export interface PracticeAct {
  readonly account: AccountId;
  readonly contract: Contract;
  readonly action: PracticeAction['action'];
  readonly change?: string;
  readonly endsAt?: Millis;
}

interface PracticeMessage {
  readonly practised: PracticeAction;
}

export class PracticeNews implements NewsSource {
  readonly #floor: Floor;
  readonly #now: () => number;
  readonly #peers: Peers | undefined;
  readonly #endListening: () => void;
  readonly #listeners = new Set<(news: AccountNews | MessageNews) => void>();
  /** Newest first. */
  readonly #actions: PracticeAction[] = [];

  constructor({ floor, now, peers }: { floor: Floor; now: () => number; peers?: Peers | undefined }) {
    this.#floor = floor;
    this.#now = now;
    this.#peers = peers;
    this.#endListening = peers?.onMessage((message) => this.#hear(message)) ?? (() => undefined);
  }

  onNews(listener: (news: AccountNews | MessageNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get actions(): readonly PracticeAction[] {
    return this.#actions;
  }

  add({ account, contract, action, change, endsAt }: PracticeAct): void {
    const createdTime = millis(this.#now());
    const practised: PracticeAction = {
      id: `practice:${createdTime}:${randomUUID()}`,
      symbol: contract.symbol,
      action,
      by: shortened(this.#floor.accounts.account(account)?.address ?? ''),
      change: change ?? null,
      endsAt: endsAt ?? null,
      createdTime,
    };
    this.#peers?.send(JSON.stringify({ practised } satisfies PracticeMessage));
    this.#report(practised);
  }

  close(): void {
    this.#endListening();
  }

  #hear(message: string): void {
    const { practised } = JSON.parse(message) as Partial<PracticeMessage>;
    if (practised !== undefined) this.#report(practised);
  }

  #report(practised: PracticeAction): void {
    const { id, symbol, action, by, change, createdTime } = practised;
    this.#actions.unshift(practised);
    this.#actions.length = Math.min(this.#actions.length, REMEMBERED);
    const listed = this.#floor.contracts.contractBySymbol(symbol);
    if (listed === undefined) return;
    const holders = new Set([...this.#floor.positions.inMarket(listed.contract.market)].map((position) => position.account));
    const data = {
      id,
      title: `${symbol}: ${TITLES[action]}`,
      content: `By ${by}${change === null ? '' : `, ${change} of the price`}.`,
      aggType: 'NOTICE',
      detailType: 'PRACTICE',
      createdTime,
    } as const;
    for (const holder of holders) for (const listener of this.#listeners) listener({ account: holder, resType: 'znxMessage', data });
  }
}

const TITLES = {
  MOVE_PRICE: 'the price was moved',
  LIQUIDATE_ME: 'the price is moved until a position is liquidated',
  FORCE_FUNDING: 'funding was settled',
  SKIP_HOUR: 'an hour was skipped: funding was settled',
} as const satisfies Readonly<Record<PracticeAction['action'], string>>;

const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** What happens in either. */
export const together = (...sources: readonly NewsSource[]): NewsSource => ({
  onNews(listener) {
    const endings = sources.map((source) => source.onNews(listener));
    return () => {
      for (const end of endings) end();
    };
  },
});
