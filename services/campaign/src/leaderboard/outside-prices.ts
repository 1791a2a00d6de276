/**
 * The outside price of each market at the moment of a trade: the index price of a spot market, the mark of a contract. What is read again after a failure is
 * judged by the prices it was judged by before, because those are written with the offset.
 */
import type { Event } from '@orrery/protocol';
import { type MarketId, marketId, type Seq, type Ticks, ticks } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';

/** An older price says nothing about a trade; milliseconds. */
const PRICE_AGE_MAX_MS = 60_000;

interface Quoted {
  readonly price: Ticks;
  readonly at: number;
}

/** What moved in a piece of history; undefined where there is no price any more. */
export type Moved = Map<MarketId, Quoted | undefined>;

export class OutsidePrices {
  #now = new Map<MarketId, Quoted>();
  /** As of the last command that is in SQL, or that holds no trade. */
  readonly #folded = new Map<MarketId, Quoted>();
  #seq = 0;

  async load(db: Kysely<CampaignTables>): Promise<void> {
    const rows = await db.selectFrom('campaign_outside_price').selectAll().execute();
    for (const { market, price, at } of rows) this.#folded.set(marketId(market), { price: ticks(price), at });
    this.#now = new Map(this.#folded);
  }

  /** In the order of history; an earlier command than the last one means that history is read again. */
  begin(seq: Seq): void {
    if (seq <= this.#seq) this.#now = new Map(this.#folded);
    this.#seq = seq;
  }

  take(event: Event, at: number, moved: Moved): void {
    if (event.type === 'IndexPriceSet') this.#move(event.market, { price: event.price, at }, moved);
    // While its sources disagree or are silent, the mark of a contract is held where it was: it says nothing.
    else if (event.type === 'PricesSet') this.#move(event.market, event.state === 'READY' ? { price: event.mark, at } : undefined, moved);
  }

  at(market: MarketId, now: number): Ticks | undefined {
    const found = this.#now.get(market);
    return found === undefined || now - found.at > PRICE_AGE_MAX_MS ? undefined : found.price;
  }

  /** The piece in which these moved is folded, or holds nothing to fold. */
  fold(moved: Moved): void {
    for (const [market, quoted] of moved) put(this.#folded, market, quoted);
  }

  /** As they are at the end of what is folded. */
  async write(tx: Transaction<CampaignTables>): Promise<void> {
    await tx.deleteFrom('campaign_outside_price').execute();
    const rows = Array.from(this.#folded, ([market, { price, at }]) => ({ market, price, at }));
    if (rows.length > 0) await tx.insertInto('campaign_outside_price').values(rows).execute();
  }

  #move(market: MarketId, quoted: Quoted | undefined, moved: Moved): void {
    moved.set(market, quoted);
    put(this.#now, market, quoted);
  }
}

function put(quotes: Map<MarketId, Quoted>, market: MarketId, quoted: Quoted | undefined): void {
  if (quoted === undefined) quotes.delete(market);
  else quotes.set(market, quoted);
}
