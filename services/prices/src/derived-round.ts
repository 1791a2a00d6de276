/**
 * The venues of a recording: three spot venues and one of perpetual futures, derived from the one series that was recorded. Each strays a little
 * from it, by a seeded amount that changes slowly, and reports with a delay of its own, so that index and mark have something to weigh. They are
 * no independent evidence, and their names say so.
 */
import { millis, ticks } from '@orrery/units';
import type { Millis, Ticks } from '@orrery/units';
import { MINUTE_MS } from './loop.ts';
import type { IndexSample, PriceRound, PriceSample } from './price-source.ts';
import { seededRandom } from './random.ts';

interface Venue {
  readonly source: string;
  /** The furthest it strays from the recording, in millionths. */
  readonly strayPpm: number;
}

const SPOT_VENUES: readonly Venue[] = [
  { source: 'derived-spot-1', strayPpm: 120 },
  { source: 'derived-spot-2', strayPpm: 120 },
  { source: 'derived-spot-3', strayPpm: 120 },
];
const PERPETUAL_VENUE: Venue = { source: 'derived-perpetual', strayPpm: 400 };

const DELAY_MAX_MS = 2_000;
/** A venue keeps its delay for this long. */
const DELAY_SLOT_MS = 3_000;

interface Recording {
  readonly asset: string;
  readonly at: Millis;
  /** Undefined before the recording began. */
  readonly priceAt: (at: Millis) => Ticks | undefined;
}

/** The same recording and time give the same round. */
export function derivedRound(recording: Recording): PriceRound {
  const external = sampleOf(PERPETUAL_VENUE, recording);
  return {
    index: SPOT_VENUES.flatMap((venue): readonly IndexSample[] => {
      const sample = sampleOf(venue, recording);
      return sample === undefined ? [] : [{ ...sample, weight: 1 }];
    }),
    external: external === undefined ? [] : [external],
  };
}

function sampleOf({ source, strayPpm }: Venue, { asset, at, priceAt }: Recording): PriceSample | undefined {
  const draw = seededRandom(`${asset} ${source} delay ${Math.floor(at / DELAY_SLOT_MS)}`);
  const ageMs = Math.floor(draw() * DELAY_MAX_MS);
  const heardAt = millis(at - ageMs);
  const recorded = priceAt(heardAt);
  if (recorded === undefined) return undefined;
  const ppm = Math.round(strayAt(`${asset} ${source}`, heardAt) * strayPpm);
  return { source, price: ticks(Math.max(1, Math.round((recorded * (1_000_000 + ppm)) / 1_000_000))), ageMs };
}

/** From -1 to 1: drawn for each full minute, and in a straight line from one to the next. */
function strayAt(seed: string, at: Millis): number {
  const minute = Math.floor(at / MINUTE_MS);
  const [from, to] = [minute, minute + 1].map((index) => 2 * seededRandom(`${seed} ${index}`)() - 1);
  return (from ?? 0) + ((to ?? 0) - (from ?? 0)) * ((at % MINUTE_MS) / MINUTE_MS);
}
