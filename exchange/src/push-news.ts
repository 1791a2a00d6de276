/**
 * What happens to accounts becomes push messages: fills and deposits from the heart's tail, warnings from the margin of positions, steps of OTC orders from the
 * news by topic. Every process follows; the one that holds the lease announces.
 */
import type { Accounts } from '@orrery/accounts';
import type { Position, PushCategory, SiteMessage } from '@orrery/api';
import type { AccountDirectory, Lease } from '@orrery/foundation';
import type { MessageNews, NewsSource } from '@orrery/gateway';
import type { Applied, DepositCredited, Heart, Side, Trade, View } from '@orrery/protocol';
import { type AccountId, printAtoms, printLots, printTicks } from '@orrery/units';
import { advance, load, MarketsView } from '@orrery/views';

/** How often the margin of those who want warnings is looked at. */
const LOOK_EVERY_MS = 5_000;
/** Maintenance margin as a share of what a position has: above the first its account is warned, once until it is below the second. */
const WARN_ABOVE = 0.8;
const CALM_BELOW = 0.6;

/** Site messages that are pushed, by their kind. */
const PUSHED_MESSAGES: Readonly<Partial<Record<SiteMessage['detailType'], PushCategory>>> = { OTC: 'OTC' };

interface Sources {
  readonly heart: Pick<Heart, 'open'>;
  readonly push: Accounts['push'];
  readonly directory: Pick<AccountDirectory, 'contract'>;
  readonly positionsOf: (account: AccountId) => readonly Pick<Position, 'symbol' | 'marginRatio'>[];
  readonly news: NewsSource;
  readonly lease: Pick<Lease, 'hold'>;
  readonly onTrouble: (error: unknown) => void;
}

export class PushNews {
  readonly #sources: Sources;
  readonly #markets = new MarketsView();
  readonly #warned = new Set<AccountId>();
  readonly #view: View;
  readonly #following: Promise<void>;
  readonly #endNews: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#view = sources.heart.open();
    load(this.#view, this.#markets);
    this.#following = this.#follow();
    this.#endNews = sources.news.onNews((news) => {
      if (news.resType === 'znxMessage') this.#messaged(news);
    });
    this.#timer = setInterval(() => this.lookAtMargins(), LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#endNews();
    this.#view.close();
    await this.#following;
  }

  lookAtMargins(): void {
    const { push, positionsOf, onTrouble } = this.#sources;
    // Who takes over does not know who was warned: a warning twice is better than none.
    if (!this.#announces()) return this.#warned.clear();
    for (const account of push.accountsWanting('LIQUIDATION')) {
      try {
        const [worst] = positionsOf(account).toSorted((a, b) => Number(b.marginRatio ?? 0) - Number(a.marginRatio ?? 0));
        this.#judge(account, worst);
      } catch (error) {
        onTrouble(error);
      }
    }
  }

  #judge(account: AccountId, worst: Pick<Position, 'symbol' | 'marginRatio'> | undefined): void {
    const ratio = Number(worst?.marginRatio ?? 0);
    if (ratio < CALM_BELOW) this.#warned.delete(account);
    if (worst === undefined || ratio < WARN_ABOVE || this.#warned.has(account)) return;
    this.#warned.add(account);
    const title = 'Close to liquidation';
    this.#sources.push.announce({
      account,
      category: 'LIQUIDATION',
      plain: { title, body: 'A position needs margin, or it will be liquidated.', path: '/portfolio' },
      open: {
        title,
        body: `${worst.symbol}: ${Math.floor(ratio * 100)}% of its margin is needed.`,
        path: `/trade/futures/${worst.symbol}`,
      },
    });
  }

  async #follow(): Promise<void> {
    try {
      for await (const batch of this.#view.tail) for (const applied of batch) this.#apply(applied);
    } catch (error) {
      this.#sources.onTrouble(error);
    }
  }

  #apply(applied: Applied): void {
    advance(applied, this.#markets);
    if (!this.#announces()) return;
    for (const event of applied.events) {
      if (event.type === 'Trade') this.#traded(event);
      if (event.type === 'DepositCredited' && !event.suspended) this.#deposited(event);
    }
  }

  #announces(): boolean {
    return this.#sources.lease.hold() !== undefined;
  }

  #traded({ takerAccount, makerAccount, takerSide, ...fill }: Trade): void {
    this.#filled(takerAccount, { ...fill, side: takerSide });
    this.#filled(makerAccount, { ...fill, side: takerSide === 'buy' ? 'sell' : 'buy' });
  }

  #filled(account: AccountId, { market, side, price, size }: Pick<Trade, 'market' | 'price' | 'size'> & { readonly side: Side }): void {
    const { push, directory } = this.#sources;
    if (!push.wants(account, 'FILLS')) return;
    const spot = this.#markets.market(market)?.market;
    const terms = spot ?? directory.contract(market);
    if (terms === undefined) return;
    const what = `${side === 'buy' ? 'Bought' : 'Sold'} ${printLots(size, terms.sizePrecision)} of ${terms.symbol}`;
    const kind = spot === undefined ? 'futures' : 'spot';
    const title = 'Order filled';
    push.announce({
      account,
      category: 'FILLS',
      plain: { title, body: 'An order of yours was filled, or a part of it.', path: '/portfolio' },
      open: { title, body: `${what} at ${printTicks(price, terms.pricePrecision)}.`, path: `/trade/${kind}/${terms.symbol}` },
    });
  }

  #deposited({ account, asset, amount }: DepositCredited): void {
    const { push } = this.#sources;
    const known = this.#markets.asset(asset);
    if (known === undefined || !push.wants(account, 'DEPOSITS')) return;
    const [title, path] = ['Deposit credited', '/assets/bills'];
    push.announce({
      account,
      category: 'DEPOSITS',
      plain: { title, body: 'A deposit is yours to use.', path },
      open: { title, body: `${printAtoms(amount, known.decimals)} ${known.code} are yours to use.`, path },
    });
  }

  #messaged({ account, data: { id, detailType, title, content } }: MessageNews): void {
    if (!this.#announces()) return;
    const category = PUSHED_MESSAGES[detailType];
    if (category === undefined || account === 'everybody') return;
    this.#sources.push.announce({
      account,
      category,
      plain: { title: 'OTC order', body: 'There is a new step in an OTC order of yours.', path: '/otc/orders' },
      open: { title, body: content, path: pathOf(id) },
    });
  }
}

/** Of an OTC order: its message is named for it. */
function pathOf(messageId: string): string {
  const [, orderId] = /^otc:(\d+):/.exec(messageId) ?? [];
  return orderId === undefined ? '/otc/orders' : `/otc/order/${orderId}`;
}
