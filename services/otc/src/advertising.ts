/** What an advertiser does: the words go to SQL first, then the command; what the engine refuses leaves nothing. */
import {
  ApiError,
  type CreateOtcAdvertisement,
  OTC_ADVERTISEMENTS_PER_HOUR,
  type OwnOtcAdvertisement,
  type UpdateOtcAdvertisement,
} from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { Heart, Pricing, SettableState } from '@orrery/protocol';
import { type AccountId, advertisementId, assetId } from '@orrery/units';
import { sql } from 'kysely';
import type { AssistFeed } from './assist-feed.ts';
import type { Advertised, AdvertisementText, Board } from './board.ts';
import type { Coins } from './coins.ts';
import type { OtcFollower } from './follower.ts';
import { advertisementIs, newId } from './ids.ts';
import { amountField, malformed, premiumField, priceField, totalField } from './money.ts';
import { lockMethods, type PaymentMethods } from './payment-methods.ts';
import type { PersonKeysPort } from './ports.ts';
import { submitted } from './refusals.ts';
import { sealed } from './sealed.ts';
import type { OtcDb } from './tables.ts';

const HOUR_MS = 3_600_000;

interface AdvertisingParts {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly coins: Coins;
  readonly board: Board;
  readonly methods: PaymentMethods;
  readonly follower: OtcFollower;
  readonly feed: AssistFeed;
  readonly minuteMs: number;
  readonly now: () => number;
}

interface Words {
  readonly clientId: string;
  readonly methodIds: readonly string[];
  readonly text: AdvertisementText;
}

export class Advertising {
  readonly #parts: AdvertisingParts;
  /** One at a time of an account: those that come at once pass no limit. */
  readonly #turns = new Turns<AccountId>();

  constructor(parts: AdvertisingParts) {
    this.#parts = parts;
  }

  /** @throws ApiError with the reason; then nothing is published. */
  create(account: AccountId, wish: CreateOtcAdvertisement): Promise<OwnOtcAdvertisement> {
    const { coins, minuteMs } = this.#parts;
    const asset = coins.field(wish.coin);
    const pricing = pricingOf(wish);
    if (pricing === undefined) throw new ApiError('MissingField', { field: wish.priceType === 'FIXED' ? 'price' : 'premium' });
    const terms = {
      side: wish.side === 'BUY' ? ('buy' as const) : ('sell' as const),
      asset: asset.asset,
      currency: wish.currency,
      pricing,
      minTotal: totalField(wish.minTotal, 'minTotal'),
      maxTotal: totalField(wish.maxTotal, 'maxTotal'),
      payWindowMs: wish.payWindowMinutes * minuteMs,
    };
    if (terms.minTotal > terms.maxTotal) throw malformed('maxTotal', 'maxTotal must not be below minTotal');
    const amount = amountField(wish.amount, asset);
    const clientId = wish.clientAdvertisingId ?? newId();
    const words = { clientId, methodIds: wish.paymentMethodIds, text: wordsOf(wish) };
    return this.#turns.take(account, async () => {
      const { heart, follower, feed, board } = this.#parts;
      const isThere = await this.#isThere(account, clientId);
      if (!isThere) await this.#writeFirst(account, words);
      if (pricing.kind === 'FLOATING') await feed.feedOne(asset.asset, wish.currency);
      try {
        const command = { type: 'PublishAdvertisement' as const, account, clientAdvertisementId: clientId, ...terms, amount };
        await follower.reached((await submitted(heart, coins, command)).seq);
      } catch (error) {
        // Whether it was published is not known where the heart itself failed: then the words stay.
        if (!isThere && error instanceof ApiError) await this.#drop(account, clientId);
        throw error;
      }
      return board.own(account, { clientId });
    });
  }

  /** @throws ApiError with the reason; then nothing is changed. */
  update(account: AccountId, { advertisingId, ...wish }: UpdateOtcAdvertisement): Promise<OwnOtcAdvertisement> {
    return this.#turns.take(account, async () => {
      const { heart, coins, board, follower, feed, minuteMs } = this.#parts;
      const before = board.find(Number(advertisingId), account);
      const asset = coins.byId(assetId(before.asset));
      const pricing = pricingOf(wish) ?? before.pricing;
      const terms = {
        pricing,
        minTotal: wish.minTotal === undefined ? before.minTotal : totalField(wish.minTotal, 'minTotal'),
        maxTotal: wish.maxTotal === undefined ? before.maxTotal : totalField(wish.maxTotal, 'maxTotal'),
        payWindowMs: wish.payWindowMinutes === undefined ? before.payWindowMs : wish.payWindowMinutes * minuteMs,
      };
      if (terms.minTotal > terms.maxTotal) throw malformed('maxTotal', 'maxTotal must not be below minTotal');
      const amount = wish.amount === undefined ? undefined : amountField(wish.amount, asset);
      const methodIds = wish.paymentMethodIds ?? before.methodIds;
      if (wish.paymentMethodIds !== undefined) await this.#parts.methods.kindsOf(this.#parts.db, account, methodIds);
      if (pricing.kind === 'FLOATING') await feed.feedOne(asset.asset, before.currency);
      const command = {
        type: 'UpdateAdvertisement' as const,
        account,
        advertisement: advertisementId(before.advertisement),
        ...terms,
        // Where none is named the engine leaves what is available: what an order has taken is not filled up.
        ...(amount !== undefined && { amount }),
        ...(wish.version !== undefined && { version: wish.version }),
      };
      const { seq } = await submitted(heart, coins, command);
      await this.#rewrite(before, { methodIds, text: { ...before.text, ...wordsGiven(wish) } });
      await follower.reached(seq);
      await board.readAgain([before.advertisement]);
      return board.own(account, { advertisement: before.advertisement });
    });
  }

  setStatus(account: AccountId, advertisingId: string, state: SettableState): Promise<OwnOtcAdvertisement> {
    return this.#turns.take(account, async () => {
      const { heart, coins, board, follower } = this.#parts;
      const before = await board.own(account, { advertisement: Number(advertisingId) });
      if (before.status === state) return before;
      const command = { type: 'SetAdvertisementState' as const, account, advertisement: advertisementId(Number(advertisingId)), state };
      await follower.reached((await submitted(heart, coins, command)).seq);
      return board.own(account, { advertisement: Number(advertisingId) });
    });
  }

  /** Takes down all that a person has advertised. */
  async takeAllDown(account: AccountId): Promise<void> {
    const { heart, board, follower } = this.#parts;
    for (const { advertisement } of board.all().filter((one) => one.account === account)) {
      const command = {
        type: 'SetAdvertisementState' as const,
        account: 0 as const,
        advertisement: advertisementId(advertisement),
        state: 'TAKEN_DOWN' as const,
      };
      await follower.reached((await heart.submit(command)).seq);
    }
  }

  async #isThere(account: AccountId, clientId: string): Promise<boolean> {
    const row = await this.#parts.db
      .selectFrom('otc_advertisement')
      .select('advertisement')
      .where('account', '=', account)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @throws ApiError TooMany at the eleventh within an hour, UnknownThing for a payment method of others. */
  async #writeFirst(account: AccountId, { clientId, methodIds, text }: Words): Promise<void> {
    const { db, keys, methods, now } = this.#parts;
    const { recent } = await db
      .selectFrom('otc_advertisement')
      .select(sql<number>`count(*)`.as('recent'))
      .where('account', '=', account)
      .where('created_at', '>', now() - HOUR_MS)
      .executeTakeFirstOrThrow();
    if (recent >= OTC_ADVERTISEMENTS_PER_HOUR)
      throw new ApiError('TooManyRequests', {
        message: `at most ${OTC_ADVERTISEMENTS_PER_HOUR} advertisements are published within an hour`,
        retryAfterSeconds: 3_600,
      });
    const bytes = await sealed(keys, account, advertisementIs(clientId), text);
    await db.transaction().execute(async (tx) => {
      await lockMethods(tx, account);
      const kinds = [...new Set(await methods.kindsOf(tx, account, methodIds))];
      const row = { method_ids: [...methodIds], payment_kinds: kinds, sealed: bytes, created_at: now() };
      await tx
        .insertInto('otc_advertisement_text')
        .values({ account, client_id: clientId, ...row })
        .onConflict((conflict) => conflict.columns(['account', 'client_id']).doUpdateSet(row))
        .execute();
    });
  }

  async #rewrite({ account, clientId }: Advertised, { methodIds, text }: Pick<Words, 'methodIds' | 'text'>): Promise<void> {
    const { db, keys, methods } = this.#parts;
    const bytes = await sealed(keys, account, advertisementIs(clientId), text);
    await db.transaction().execute(async (tx) => {
      await lockMethods(tx, account);
      const kinds = [...new Set(await methods.kindsOf(tx, account, methodIds))];
      await tx
        .updateTable('otc_advertisement_text')
        .set({ method_ids: [...methodIds], payment_kinds: kinds, sealed: bytes })
        .where('account', '=', account)
        .where('client_id', '=', clientId)
        .execute();
    });
  }

  async #drop(account: AccountId, clientId: string): Promise<void> {
    if (await this.#isThere(account, clientId)) return;
    await this.#parts.db.deleteFrom('otc_advertisement_text').where('account', '=', account).where('client_id', '=', clientId).execute();
  }
}

interface Priced {
  readonly priceType?: 'FIXED' | 'FLOATING';
  readonly price?: string | undefined;
  readonly premium?: string | undefined;
}

/** Undefined where none is given. @throws ApiError MalformedField where both are, or the one that the type does not take. */
function pricingOf({ priceType, price, premium }: Priced): Pricing | undefined {
  if (price !== undefined && premium !== undefined) throw malformed('premium', 'a price is FIXED or FLOATING: give price or premium');
  if (priceType === 'FIXED' && premium !== undefined) throw malformed('premium', 'premium is for a FLOATING price');
  if (priceType === 'FLOATING' && price !== undefined) throw malformed('price', 'price is for a FIXED one');
  if (price !== undefined) return { kind: 'FIXED', price: priceField(price) };
  return premium === undefined ? undefined : { kind: 'FLOATING', premium: premiumField(premium) };
}

interface GivenWords {
  readonly conditions?: string | undefined;
  readonly autoReply?: string | undefined;
}

const wordsOf = ({ conditions, autoReply }: GivenWords): AdvertisementText => ({
  conditions: conditions?.trim() || null,
  autoReply: autoReply?.trim() || null,
});

/** Those that were given: what was not stays. A text of spaces removes what is there. */
const wordsGiven = ({ conditions, autoReply }: GivenWords): Partial<AdvertisementText> => ({
  ...(conditions !== undefined && { conditions: conditions.trim() || null }),
  ...(autoReply !== undefined && { autoReply: autoReply.trim() || null }),
});
