/** For tests: contracts of a venue in front of the real engine: margin for its people, and rounds of outside prices. */
import { assert, parseAtoms, parseTicks, ticks } from '@orrery/units';
import { assetByCode, CONTRACTS, PRACTICE_CONTRACTS } from '../../../../exchange/src/listing.ts';
import type { Person } from './people.ts';
import type { Venue } from './venue.ts';

export const ROUND_MS = 3_000;

/** Moves USDC of a person from spot to futures. */
export async function giveMargin({ heart }: Venue, { account }: Person, amount: string): Promise<void> {
  const { asset, decimals } = assetByCode('USDC');
  const atoms = parseAtoms(amount, decimals);
  assert(atoms !== undefined, 'the amount is one');
  const { events } = await heart.submit({
    type: 'Transfer',
    account,
    transferId: crypto.randomUUID(),
    asset,
    amount: atoms,
    from: 'spot',
    to: 'futures',
  });
  assert(events[0]?.type === 'Transferred', 'the margin was moved');
}

/** Rounds in which every venue outside says this price; at least three are needed before anything is liquidated. */
export async function setPrice({ heart, clock }: Venue, { symbol, price, rounds = 1 }: { symbol: string; price: string; rounds?: number }) {
  const contract = [...CONTRACTS, ...PRACTICE_CONTRACTS].find((each) => each.symbol === symbol);
  const wanted = contract === undefined ? undefined : parseTicks(price, contract.pricePrecision);
  assert(contract !== undefined && wanted !== undefined, `${symbol} is a contract, and ${price} a price of it`);
  const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(wanted), ageMs: 0, weight: 1 }));
  for (let round = 0; round < rounds; round += 1) {
    clock.now += ROUND_MS;
    await heart.submit({ type: 'SubmitPrices', market: contract.market, index, external: [] });
    for (;;) {
      const left = heart.continuation();
      if (left === undefined) break;
      await heart.submit(left);
    }
  }
}
