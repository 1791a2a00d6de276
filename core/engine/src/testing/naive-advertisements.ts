/** The advertisements of the naive desk: what is offered, what of it is available, and what it costs. */
import type { OtcCommand } from '@orrery/protocol';
import { NaiveDeskMoney } from './naive-desk-money.ts';

export const DAY = 86_400_000;

type Terms = Omit<Extract<OtcCommand, { type: 'SetOtcTerms' }>, 'type'>;
export type Of<Type extends OtcCommand['type']> = Extract<OtcCommand, { type: Type }>;

export interface Ad {
  readonly id: number;
  readonly account: number;
  readonly clientId: string;
  readonly side: 'buy' | 'sell';
  readonly asset: number;
  readonly currency: string;
  pricing: { kind: 'FIXED'; price: bigint } | { kind: 'FLOATING'; premium: number };
  minTotal: bigint;
  maxTotal: bigint;
  payWindowMs: number;
  state: string;
  available: bigint;
  /** How many times it was said what it is. */
  version: number;
  downAt: number;
}

export class NaiveAdvertisements extends NaiveDeskMoney {
  readonly ads: Ad[] = [];
  readonly decimals: Readonly<Record<number, number>>;
  terms: Terms | undefined;
  lastAd = 0;

  /** @param decimals of each asset */
  constructor(decimals: Readonly<Record<number, number>>) {
    super();
    this.decimals = decimals;
  }

  publish(command: Of<'PublishAdvertisement'>): void {
    const { account, clientAdvertisementId, side, asset, currency, pricing, minTotal, maxTotal, payWindowMs, amount } = command;
    const key = `ad ${account} ${clientAdvertisementId}`;
    const body = bodyOf(command);
    const made = this.made.get(key);
    if (made?.body === body) return this.repeat(made.id);
    if (this.isUnsound(command, 1n) || this.mayNotBegin(account) || (side === 'sell' && this.mayNotSell(account))) return;
    if (this.terms === undefined) return this.refuse('OtcClosed');
    if (this.isPaused(account)) return this.refuse('OtcPaused', 'account');
    if (this.ads.filter((ad) => ad.account === account && ad.state !== 'TAKEN_DOWN').length >= 20)
      return this.refuse('TooManyAdvertisements');
    const ad: Ad = {
      id: this.lastAd + 1,
      account,
      clientId: clientAdvertisementId,
      side,
      asset,
      currency,
      pricing,
      minTotal,
      maxTotal,
      payWindowMs,
      state: 'PUBLISHED',
      available: amount,
      version: 1,
      downAt: Infinity,
    };
    if (this.isEmpty(ad)) return this.refuse('OtcTotalOutside', 'amount');
    if (made !== undefined) return this.refuse('KeyConflict', 'clientAdvertisementId');
    if (side === 'sell' && this.isUnfunded(account, asset, amount)) return;
    this.lastAd += 1;
    this.made.set(key, { id: `${ad.id}`, body });
    this.ads.push(ad);
    if (side === 'sell') this.add(account, asset, 0n - amount);
    this.emit({ type: 'AdvertisementPublished', ...this.factOf(ad), clientAdvertisementId });
  }

  isUnsound(
    { pricing, minTotal, maxTotal, payWindowMs, amount }: Of<'PublishAdvertisement'> | Of<'UpdateAdvertisement'>,
    least: bigint,
  ): boolean {
    const most = 10n ** 15n;
    const field =
      pricing.kind === 'FIXED' && (pricing.price < 1n || pricing.price > most)
        ? 'price'
        : pricing.kind === 'FLOATING' && (pricing.premium < -500_000 || pricing.premium > 500_000)
          ? 'premium'
          : minTotal < 1n || minTotal > most
            ? 'minTotal'
            : maxTotal < minTotal || maxTotal > most
              ? 'maxTotal'
              : payWindowMs < 1 || payWindowMs > DAY
                ? 'payWindowMs'
                : '';
    if (field !== '') this.refuse('InvalidField', field);
    else if (amount !== undefined && amount < least) this.refuse('InvalidAmount', 'amount');
    else return false;
    return true;
  }

  update(command: Of<'UpdateAdvertisement'>): void {
    const { account, advertisement, pricing, minTotal, maxTotal, payWindowMs } = command;
    if (this.isUnsound(command, 0n)) return;
    const ad = this.ads.find((one) => one.id === advertisement && one.account === account);
    if (ad === undefined) return this.refuse('UnknownAdvertisement', 'advertisement');
    const isLive = ad.state !== 'TAKEN_DOWN';
    const amount = command.amount ?? ad.available;
    const same = termsBody(ad) === termsBody(command) && ad.available === amount;
    if (isLive && same) return this.repeat(`${ad.id}`);
    const more = ad.side === 'sell' ? amount - ad.available : 0n;
    if (more > 0n ? this.mayNotBegin(account) || this.mayNotSell(account) : this.mayNotStep(account)) return;
    if (!isLive) return this.refuse('AdvertisementNotOpen', 'advertisement');
    if ((command.version ?? ad.version) !== ad.version) return this.refuse('AdvertisementVersionStale', 'version');
    if (more > 0n && this.isUnfunded(account, ad.asset, more)) return;
    Object.assign(ad, { pricing, minTotal, maxTotal, payWindowMs, available: amount });
    this.add(account, ad.asset, -more);
    this.settle(ad);
  }

  setState({ account, advertisement, state }: Of<'SetAdvertisementState'>): void {
    const ad = this.ads.find((one) => one.id === advertisement && (account === 0 || one.account === account));
    if (ad === undefined) return this.refuse('UnknownAdvertisement', 'advertisement');
    if (account !== 0 && this.mayNotStep(account)) return;
    const wanted = state === 'PUBLISHED' && this.isEmpty(ad) ? 'EXHAUSTED' : state;
    if (wanted === ad.state) return this.repeat(`${ad.id}`);
    if (ad.state === 'TAKEN_DOWN') return this.refuse('AdvertisementNotOpen', 'advertisement');
    ad.state = wanted;
    if (wanted === 'TAKEN_DOWN') {
      if (ad.side === 'sell') this.add(ad.account, ad.asset, ad.available);
      ad.available = 0n;
      ad.downAt = this.at;
    }
    this.change(ad);
  }

  /** After what is available has changed. */
  settle(ad: Ad): void {
    if (ad.state === 'PUBLISHED' || ad.state === 'EXHAUSTED') ad.state = this.isEmpty(ad) ? 'EXHAUSTED' : 'PUBLISHED';
    this.change(ad);
  }

  change(ad: Ad): void {
    ad.version += 1;
    this.emit({ type: 'AdvertisementChanged', ...this.factOf(ad) });
  }

  isEmpty(ad: Ad): boolean {
    if (ad.available === 0n) return true;
    return ad.pricing.kind === 'FIXED' && this.costs(ad, ad.available, ad.pricing.price) < ad.minTotal;
  }

  /** Of a taker, in cents: the next whole one against the taker. */
  costs({ side, asset }: Pick<Ad, 'side' | 'asset'>, amount: bigint, price: bigint): bigint {
    const cent = this.cent(asset);
    const part = (amount * price) % cent;
    const whole = (amount * price - part) / cent;
    return side === 'sell' && part > 0n ? whole + 1n : whole;
  }

  cent(asset: number): bigint {
    return BigInt(`1${'0'.repeat(this.decimals[asset]!)}00`);
  }

  factOf(one: Ad): object {
    const { id, clientId: _, downAt: __, ...ad } = one;
    return { ...ad, advertisement: id };
  }
}

const termsBody = ({ pricing, minTotal, maxTotal, payWindowMs }: Pick<Ad, 'pricing' | 'minTotal' | 'maxTotal' | 'payWindowMs'>): string =>
  [pricing.kind, pricing.kind === 'FIXED' ? pricing.price : pricing.premium, minTotal, maxTotal, payWindowMs].join();

const bodyOf = (command: Of<'PublishAdvertisement'>): string =>
  [command.side, command.asset, command.currency, command.amount, termsBody(command)].join();
