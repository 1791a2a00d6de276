import type { AssetId } from '@orrery/units';
import type { CommandRejected } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { refuseFundShare } from '../funds/refuse-fund.ts';
import type { Listings } from './listings.ts';

/**
 * What leaves its holder by one door alone. Money of practice contracts lies in the futures wallet it was granted to, and moves by those contracts alone: every other door refuses it by this. The shares of a fund are given for
 * money and redeemed, by commands of their own. Before rules 7 there is neither.
 */
export function refusePractice(
  { practiceAssets, funds }: Pick<Listings, 'practiceAssets' | 'funds'>,
  id: AssetId,
  field = 'asset',
): CommandRejected | undefined {
  return practiceAssets.has(id) ? reject('PracticeAsset', field) : refuseFundShare({ funds }, id, field);
}
