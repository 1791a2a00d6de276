/** An advertisement as the desk keeps it, and the facts about it. */
import { NO_ATOMS, type Atoms, type Millis } from '@orrery/units';
import type { Advertisement, AdvertisementChanged, AdvertisementPublished, AdvertisementState, Side } from '@orrery/protocol';
import { fiatTotal } from '@orrery/rules';

type Writable = 'state' | 'available' | 'version' | 'pricing' | 'minTotal' | 'maxTotal' | 'payWindowMs';
export type KeptAdvertisement = Omit<Advertisement, Writable> & { -readonly [Key in Writable]: Advertisement[Key] } & {
  readonly clientAdvertisementId: string;
  /** When it is forgotten; 0 while it is live. */
  forgottenAt: Millis;
};

export const isLive = ({ state }: Pick<Advertisement, 'state'>): boolean => state !== 'TAKEN_DOWN';

/** A taker does the opposite of the advertiser. */
export const takerOf = ({ side }: Pick<Advertisement, 'side'>): Side => (side === 'sell' ? 'buy' : 'sell');

type Priced = Pick<Advertisement, 'side' | 'pricing' | 'available' | 'minTotal'>;

/** What is left at a fixed price, against a taker of all of it; undefined at a floating one. */
export function worthOf({ pricing, available, ...rest }: Priced, decimals: number): ReturnType<typeof fiatTotal> | undefined {
  return pricing.kind === 'FIXED' ? fiatTotal(available, { decimals, price: pricing.price, taker: takerOf(rest) }) : undefined;
}

/** Less is left than the smallest order takes; at a floating price, which nobody knows beforehand, nothing. */
export function isExhausted(advertisement: Priced, decimals: number): boolean {
  const worth = worthOf(advertisement, decimals);
  return advertisement.available === NO_ATOMS || (worth !== undefined && worth < advertisement.minTotal);
}

/** In which state it is after what is available, or its price, has changed. */
export function stateOf(advertisement: Priced & Pick<Advertisement, 'state'>, decimals: number): AdvertisementState {
  const { state } = advertisement;
  if (state === 'PAUSED' || state === 'TAKEN_DOWN') return state;
  return isExhausted(advertisement, decimals) ? 'EXHAUSTED' : 'PUBLISHED';
}

function factOf(kept: KeptAdvertisement): Advertisement {
  const { clientAdvertisementId: _, forgottenAt: __, ...advertisement } = kept;
  return advertisement;
}

export const publishedOf = (kept: KeptAdvertisement): AdvertisementPublished => ({
  type: 'AdvertisementPublished',
  ...factOf(kept),
  clientAdvertisementId: kept.clientAdvertisementId,
});

/** Every change is counted here, those by orders too: a version is one state of an advertisement. */
export function noteChange(kept: KeptAdvertisement): AdvertisementChanged {
  kept.version += 1;
  return { type: 'AdvertisementChanged', ...factOf(kept) };
}

/** What of it lies in escrow. */
export const escrowedOf = ({ side, available }: Pick<Advertisement, 'side' | 'available'>): Atoms =>
  side === 'sell' ? available : NO_ATOMS;
