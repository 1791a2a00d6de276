/** Brings the local chain back from disk: the newest good snapshot, then a replay of the log after it. */
import { RpcError } from '@orrery/contracts/anvil';
import { keccak256, type Hash, type Hex } from 'viem';
import { ChainLog, parseLine, type ChainRecord } from './chain-log.ts';
import { StartError } from '../../start-error.ts';
import { genesisTimestamp } from './genesis.ts';
import { ChainNode } from './node.ts';
import { endOrphans } from './orphan.ts';
import { readSegment, segmentsIn, type SegmentEnd } from './segment.ts';
import { readTransaction, type SignedTransaction } from './signed-transaction.ts';
import { readSnapshot, snapshotsIn, type Snapshot } from './snapshot.ts';

export interface Place {
  readonly directory: string;
  readonly chainId: number;
  /** Path of the genesis file. */
  readonly genesis: string;
  /** Of the log. */
  readonly segmentBytes?: number | undefined;
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
  /** What the node has taken and not mined, in the order of arrival. */
  readonly pool: readonly SignedTransaction[];
  /** Block of the newest snapshot; 0 when there is none. */
  readonly snapshot: number;
}

export async function recover(place: Place): Promise<Recovered> {
  await endOrphans(place.directory);
  const snapshot = newestSnapshot(place.directory);
  const node = await ChainNode.start(place);
  try {
    // It begins with our own block zero all the same: another one would come back with the next snapshot.
    if (snapshot !== undefined) await node.loadState(snapshot.state);
    const replay = new Replay(node, await startingHead(place, node, snapshot));
    const end = await replayLog(place.directory, snapshot?.number ?? 0, replay);
    const log = await openLog(place, end, snapshot?.number ?? 0);
    await replay.finish(log);
    const pool = await poolOf(node, replay, place.chainId);
    return { node, log, head: replay.head, pool, snapshot: snapshot?.number ?? 0 };
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
  if (numbers.length > 0 && segmentsIn(directory)[0]?.after !== 0) {
    throw new StartError(`No snapshot of the local chain in ${directory} can be read: restore one or remove the folder.`);
  }
  return undefined;
}

/** Undefined when nothing is written yet. */
async function replayLog(directory: string, after: number, replay: Replay): Promise<SegmentEnd | undefined> {
  const segments = segmentsIn(directory).filter((segment) => segment.after >= after);
  let end: SegmentEnd | undefined;
  for (const [index, segment] of segments.entries()) {
    const place = index === segments.length - 1 ? 'newest' : 'older';
    end = await readSegment({ directory, segment, place, parse: parseLine, consume: (record) => replay.take(record) });
  }
  return end;
}

/** Without what the node dropped when it mined: the logs of earlier versions hold transactions that could not run. */
async function poolOf(node: ChainNode, { pool }: Replay, chainId: number): Promise<readonly SignedTransaction[]> {
  if (pool.size === 0) return [];
  const isHeld = await node.held();
  const read = await Promise.allSettled([...pool.values()].map((raw) => readTransaction(raw, chainId)));
  return read.flatMap((outcome) => (outcome.status === 'fulfilled' && isHeld(outcome.value) ? [outcome.value] : []));
}

function openLog({ directory, segmentBytes }: Place, end: SegmentEnd | undefined, after: number): Promise<ChainLog> {
  const options = { directory, ...(segmentBytes !== undefined && { segmentBytes }) };
  return end === undefined ? ChainLog.create(options, after) : ChainLog.reopen(options, end);
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

  async take(record: ChainRecord): Promise<void> {
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
  async finish(log: ChainLog): Promise<void> {
    if (this.#confirmed < this.head.number) await log.append([{ type: 'block', number: this.head.number, hash: this.head.hash }]);
  }

  async #send(raw: Hex): Promise<void> {
    try {
      await this.#node.call('eth_sendRawTransaction', [raw]);
      this.pool.set(keccak256(raw), raw);
    } catch (error) {
      // A newer segment repeats what the pool held; and logs of earlier versions hold what the node refused, too.
      if (!(error instanceof RpcError)) throw error;
    }
  }

  async #mine({ number, timestamp }: { number: number; timestamp: number }): Promise<void> {
    if (number !== this.head.number + 1) throw new StartError(`The local chain's log has block ${number} after block ${this.head.number}.`);
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
