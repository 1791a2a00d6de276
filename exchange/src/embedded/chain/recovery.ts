/** Brings the local chain back from disk: the newest good snapshot, then a replay of the log after it. */
import { join } from 'node:path';
import { RpcError } from '@orrery/contracts/anvil';
import { keccak256, type Hash, type Hex } from 'viem';
import { ChainLog, readSegment, segmentName, segmentsIn, type ChainRecord } from './chain-log.ts';
import { StartError } from '../../start-error.ts';
import { genesisTimestamp } from './genesis.ts';
import { ChainNode } from './node.ts';
import { endOrphans } from './orphan.ts';
import { readSnapshot, snapshotsIn, type Snapshot } from './snapshot.ts';

export interface Place {
  readonly directory: string;
  readonly chainId: number;
  /** Path of the genesis file. */
  readonly genesis: string;
}

export interface BlockHead {
  readonly number: number;
  readonly hash: Hash;
  readonly timestamp: number;
}

export interface Recovered {
  readonly node: ChainNode;
  /** Open for appending behind what was replayed. */
  readonly log: ChainLog;
  readonly head: BlockHead;
  readonly pool: ReadonlyMap<Hash, Hex>;
  /** Block of the newest snapshot; 0 when there is none. */
  readonly snapshot: number;
}

export async function recover(place: Place): Promise<Recovered> {
  await endOrphans(place.directory);
  const snapshot = newestSnapshot(place.directory);
  const { records, log } = openLog(place.directory, snapshot?.number ?? 0);
  const node = await ChainNode.start(place);
  try {
    // It begins with our own block zero all the same: another one would come back with the next snapshot.
    if (snapshot !== undefined) await node.loadState(snapshot.state);
    const replay = new Replay(node, await startingHead(place, node, snapshot));
    for (const record of records) await replay.tell(record);
    replay.finish(log);
    return { node, log, head: replay.head, pool: replay.pool, snapshot: snapshot?.number ?? 0 };
  } catch (error) {
    await node.end();
    throw error;
  }
}

function newestSnapshot(directory: string): Snapshot | undefined {
  const numbers = snapshotsIn(directory);
  for (const number of numbers) {
    const snapshot = readSnapshot(directory, number);
    if (snapshot !== undefined) return snapshot;
  }
  if (numbers.length > 0 && !segmentsIn(directory).includes(0)) {
    throw new StartError(`No snapshot of the local chain in ${directory} can be read: restore one or remove the folder.`);
  }
  return undefined;
}

function openLog(directory: string, after: number): { records: readonly ChainRecord[]; log: ChainLog } {
  const segments = segmentsIn(directory).filter((segment) => segment >= after);
  const newest = segments.at(-1);
  if (newest === undefined) {
    return { records: [], log: ChainLog.create(join(directory, segmentName(after))) };
  }
  const read = segments.map((segment) => readSegment(join(directory, segmentName(segment)), segment === newest ? 'newest' : 'older'));
  const log = ChainLog.reopen(join(directory, segmentName(newest)), read.at(-1)?.length ?? 0);
  return { records: read.flatMap((segment) => segment.records), log };
}

async function startingHead({ genesis, directory }: Place, node: ChainNode, snapshot: Snapshot | undefined): Promise<BlockHead> {
  const { number, hash } = await node.newestBlock();
  if (snapshot !== undefined && (number !== snapshot.number || hash !== snapshot.hash)) {
    throw new StartError(
      `The snapshot of block ${snapshot.number} in ${directory} does not hold that block: remove it to use the one before.`,
    );
  }
  return { number, hash, timestamp: snapshot?.timestamp ?? genesisTimestamp(genesis) };
}

class Replay {
  head: BlockHead;
  readonly pool = new Map<Hash, Hex>();
  readonly #node: ChainNode;
  /** The newest block whose hash the log confirmed. */
  #confirmed: number;

  constructor(node: ChainNode, head: BlockHead) {
    this.#node = node;
    this.head = head;
    this.#confirmed = head.number;
  }

  async tell(record: ChainRecord): Promise<void> {
    switch (record.type) {
      case 'transaction':
        return this.#send(record.raw);
      case 'mine':
        return this.#mine(record);
      case 'block':
        return this.#confirm(record);
    }
  }

  /** The log may end between the order to mine and its outcome. */
  finish(log: ChainLog): void {
    if (this.#confirmed < this.head.number) log.append([{ type: 'block', number: this.head.number, hash: this.head.hash }]);
  }

  async #send(raw: Hex): Promise<void> {
    try {
      await this.#node.call('eth_sendRawTransaction', [raw]);
      this.pool.set(keccak256(raw), raw);
    } catch (error) {
      // It was refused the first time, too; or a newer segment repeats what the pool held.
      if (!(error instanceof RpcError)) throw error;
    }
  }

  async #mine({ number, timestamp }: { number: number; timestamp: number }): Promise<void> {
    if (number !== this.head.number + 1)
      throw new StartError(`The local chain's log tells of block ${number} after block ${this.head.number}.`);
    const block = await this.#node.mine(timestamp);
    for (const hash of block.transactions) this.pool.delete(hash);
    this.head = { number, hash: block.hash, timestamp };
  }

  #confirm({ number, hash }: { number: number; hash: Hash }): void {
    if (number !== this.head.number || hash !== this.head.hash) {
      throw new StartError(`Block ${number} of the local chain came out as ${this.head.hash} in place of ${hash}.`);
    }
    this.#confirmed = number;
  }
}
