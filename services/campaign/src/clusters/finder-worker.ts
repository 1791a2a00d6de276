/** The thread that looks for clusters: flows and relations come in, clusters go out. */
import { answerQuestions } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import { type Found, lookForClusters } from './clusters.ts';
import type { Relations } from './links.ts';
import { type PackedFlows, unpack } from './packed.ts';

export interface FinderQuestion {
  readonly flows: PackedFlows;
  readonly relations: Relations;
  readonly house: readonly AccountId[];
  readonly captiveFrom: bigint | undefined;
}

answerQuestions(({ flows, relations, house, captiveFrom }: FinderQuestion): Promise<Found> => {
  const own = new Set(house);
  return Promise.resolve(lookForClusters({ flows: unpack(flows), relations, isHouse: (account) => own.has(account), captiveFrom }));
});
