import type { AssetId } from '@orrery/units';
import type { CommandRejected } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Listings } from './listings.ts';

/**
 * Money of practice contracts lies in the futures wallet it was granted to, and moves by those contracts alone: every other door refuses it by this. Before
 * rules 7 there is none.
 */
export function refusePractice(
  { practiceAssets }: Pick<Listings, 'practiceAssets'>,
  id: AssetId,
  field = 'asset',
): CommandRejected | undefined {
  return practiceAssets.has(id) ? reject('PracticeAsset', field) : undefined;
}
