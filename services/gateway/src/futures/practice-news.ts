/** What testers did to contracts: remembered for a while, and a site message to everybody who holds the contract. */
import type { PracticeAction } from '@orrery/api';
import type { Contract } from '@orrery/protocol';
import { millis, type AccountId, type Millis } from '@orrery/units';
import type { Floor } from '../floor.ts';
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

export class PracticeNews implements NewsSource {
  readonly #floor: Floor;
  readonly #now: () => number;
  readonly #listeners = new Set<(news: AccountNews | MessageNews) => void>();
  /** Newest first. */
  readonly #actions: PracticeAction[] = [];
  #count = 0;

  constructor({ floor, now }: { floor: Floor; now: () => number }) {
    this.#floor = floor;
    this.#now = now;
  }

  onNews(listener: (news: AccountNews | MessageNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get actions(): readonly PracticeAction[] {
    return this.#actions;
  }

  add({ account, contract, action, change, endsAt }: PracticeAct): void {
    this.#count += 1;
    const createdTime = millis(this.#now());
    const by = shortened(this.#floor.accounts.account(account)?.address ?? '');
    const reported: PracticeAction = {
      id: `practice:${createdTime}:${this.#count}`,
      symbol: contract.symbol,
      action,
      by,
      change: change ?? null,
      endsAt: endsAt ?? null,
      createdTime,
    };
    this.#actions.unshift(reported);
    this.#actions.length = Math.min(this.#actions.length, REMEMBERED);
    const holders = new Set([...this.#floor.positions.inMarket(contract.market)].map((position) => position.account));
    const data = {
      id: reported.id,
      title: `${contract.symbol}: ${TITLES[action]}`,
      content: `By ${by}${change === undefined ? '' : `, ${change} of the price`}.`,
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
