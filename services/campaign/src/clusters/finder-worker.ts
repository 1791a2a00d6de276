/** The thread that looks for clusters: flows and relations come in, clusters go out. */
import { parentPort } from 'node:worker_threads';
import { type AccountId, assert } from '@orrery/units';
import { type Found, lookForClusters } from './clusters.ts';
import type { Relations } from './links.ts';
import { type PackedFlows, unpack } from './packed.ts';

export interface FinderQuestion {
  readonly id: number;
  readonly flows: PackedFlows;
  readonly relations: Relations;
  readonly house: readonly AccountId[];
  readonly captiveFrom: bigint | undefined;
}

export interface FinderAnswer {
  readonly id: number;
  readonly found: Found;
}

const port = parentPort;
assert(port !== null, 'clusters are looked for in a thread of their own');
port.on('message', ({ id, flows, relations, house, captiveFrom }: FinderQuestion) => {
  const own = new Set(house);
  const found = lookForClusters({ flows: unpack(flows), relations, isHouse: (account) => own.has(account), captiveFrom });
  port.postMessage({ id, found } satisfies FinderAnswer);
});
