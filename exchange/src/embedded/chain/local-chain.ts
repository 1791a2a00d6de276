/**
 * The embedded chain: anvil behind a log of ours, so that kill -9 at any instant loses no acknowledged transaction
 * and changes no block that anyone has seen.
 *
 * Every input of the node is appended to the log first, in the order in which the node receives it. After a crash the newest
 * snapshot is loaded and the rest is replayed; the node reaches the same blocks, and each hash is compared.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keccak256, type Hash, type Hex } from 'viem';
import { ChainLog, removeSegmentsBefore, segmentName, type ChainRecord } from './chain-log.ts';
import { StartError } from '../../start-error.ts';
import { ensureGenesis, type Allocation } from './genesis.ts';
import { holdFolder } from './hold-folder.ts';
import type { ChainNode } from './node.ts';
import { type BlockHead, recover, type Recovered } from './recovery.ts';
import { removeSnapshotsBefore, writeSnapshot } from './snapshot.ts';

export interface LocalChainOptions {
  readonly directory: string;
  readonly chainId: number;
  /** Who owns what in block zero; read at the first start only. */
  readonly allocations: readonly Allocation[];
  /** Called once, when the chain cannot continue: the program must end. */
  readonly onFailure: (error: Error) => void;
  /** A block is mined at least so often. */
  readonly heartbeatMs?: number;
  /** Blocks between snapshots. */
  readonly snapshotEvery?: number;
}

const HEARTBEAT_MS = 15_000;
const SNAPSHOT_EVERY = 500;
/** Transactions that arrive together share a block. */
const GATHER_MS = 25;

/** @throws StartError with one sentence for the person who runs the program. */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  mkdirSync(options.directory, { recursive: true });
  const folder = await holdFolder(options.directory);
  try {
    const timestamp = Math.floor(Date.now() / 1000);
    const genesis = ensureGenesis({ ...options, timestamp });
    const place = { directory: options.directory, chainId: options.chainId, genesis };
    return new LocalChain({ options, folder, recover: () => recover(place), recovered: await recover(place) });
  } catch (error) {
    await folder.release();
    throw error;
  }
}

interface Parts {
  readonly options: LocalChainOptions;
  readonly folder: { release(): Promise<void> };
  readonly recover: () => Promise<Recovered>;
  readonly recovered: Recovered;
}

export class LocalChain {
  readonly chainId: number;
  readonly #parts: Parts;
  #recovered: Recovered;
  #head: BlockHead;
  #log: ChainLog;
  /** Raw transactions that the node has taken and not mined, in their order. */
  #pool: Map<Hash, Hex>;
  /** The node receives one input at a time: so the log has the node's own order. */
  #turn: Promise<unknown> = Promise.resolve();
  #nodeIsDead = false;
  #stopping = false;
  #arrived = false;
  #wake: () => void = () => undefined;
  readonly #mining: Promise<void>;
  #stopped: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.chainId = parts.options.chainId;
    this.#parts = parts;
    this.#recovered = parts.recovered;
    this.#head = parts.recovered.head;
    this.#log = parts.recovered.log;
    this.#pool = new Map(parts.recovered.pool);
    this.#arrived = this.#pool.size > 0;
    void this.#watch();
    this.#mining = this.#mineOnDemand();
  }

  head(): BlockHead {
    return this.#head;
  }

  /** Asks the node, without any gate: for our own services. Transactions must go through `sendRawTransaction`. */
  async read(method: string, params: readonly unknown[]): Promise<unknown> {
    const node = this.#nodeIsDead ? await this.#inTurn(() => this.#livingNode()) : this.#recovered.node;
    return node.call(method, params);
  }

  /** The transaction is on disk before the node sees it; acknowledged means that it will not be lost. */
  sendRawTransaction(raw: Hex): Promise<Hash> {
    return this.#inTurn(async () => {
      const node = await this.#livingNode();
      const hash = keccak256(raw);
      if (!this.#pool.has(hash)) this.#append([{ type: 'transaction', raw }]);
      const answer = (await node.call('eth_sendRawTransaction', [raw])) as Hash;
      this.#pool.set(hash, raw);
      this.#arrived = true;
      this.#wake();
      return answer;
    });
  }

  /** Takes a last snapshot and ends the node. What is not mined yet is in the log and is mined by the next start. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    const failed = this.#stopping;
    this.#stopping = true;
    this.#wake();
    await this.#mining;
    await this.#inTurn(async () => {
      if (!failed && !this.#nodeIsDead && this.#head.number > this.#recovered.snapshot) await this.#snapshot();
      await this.#recovered.node.end();
    });
    this.#log.close();
    await this.#parts.folder.release();
  }

  async #mineOnDemand(): Promise<void> {
    while (!this.#stopping) {
      await this.#arrival(this.#parts.options.heartbeatMs ?? HEARTBEAT_MS);
      if (this.#stopping) return;
      await delay(GATHER_MS);
      try {
        await this.#inTurn(() => this.#mine());
      } catch (error) {
        // The next task restarts a node that died; every other failure is fatal.
        if (!(error instanceof TypeError)) return this.#fail(error);
      }
    }
  }

  async #mine(): Promise<void> {
    const node = await this.#livingNode();
    const number = this.#head.number + 1;
    const timestamp = Math.max(Math.floor(Date.now() / 1000), this.#head.timestamp);
    this.#append([{ type: 'mine', number, timestamp }]);
    const block = await node.mine(timestamp);
    if (block.number !== number) throw new StartError(`The local chain mined block ${block.number} in place of ${number}.`);
    // Need not be on disk yet: mining again after a crash gives the same block.
    this.#log.write([{ type: 'block', number, hash: block.hash }]);
    for (const hash of block.transactions) this.#pool.delete(hash);
    this.#head = { number, hash: block.hash, timestamp };
    // What is left waits for room in a block, unless this one took nothing: then it waits for a nonce.
    this.#arrived ||= block.transactions.length > 0 && this.#pool.size > 0;
    const { snapshotEvery = SNAPSHOT_EVERY } = this.#parts.options;
    if (number - this.#recovered.snapshot >= snapshotEvery) await this.#snapshot();
  }

  /** The new segment is on disk before the snapshot that makes it the one to start from. */
  async #snapshot(): Promise<void> {
    const { directory } = this.#parts.options;
    const older = this.#recovered.snapshot;
    const dump = await this.#recovered.node.dumpState();
    const segment = ChainLog.create(join(directory, segmentName(this.#head.number)));
    segment.append([...this.#pool.values()].map((raw) => ({ type: 'transaction', raw })));
    writeSnapshot(directory, this.#head, dump);
    this.#log.close();
    this.#log = segment;
    this.#recovered = { ...this.#recovered, snapshot: this.#head.number };
    // The one before stays, should the newest be damaged on disk.
    removeSnapshotsBefore(directory, older);
    removeSegmentsBefore(directory, older);
  }

  async #watch(): Promise<void> {
    await this.#recovered.node.exited;
    this.#nodeIsDead = true;
    if (this.#stopping) return;
    try {
      await this.#inTurn(() => this.#livingNode());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A node that died is started again from the log, under its clients. Only who has the turn may call. */
  async #livingNode(): Promise<ChainNode> {
    if (this.#stopping) throw new StartError('The local chain has stopped.');
    if (this.#nodeIsDead) {
      this.#log.close();
      this.#recovered = await this.#parts.recover();
      this.#nodeIsDead = false;
      this.#log = this.#recovered.log;
      this.#head = this.#recovered.head;
      this.#pool = new Map(this.#recovered.pool);
      this.#arrived = this.#pool.size > 0;
      void this.#watch();
    }
    return this.#recovered.node;
  }

  #append(records: readonly ChainRecord[]): void {
    try {
      this.#log.append(records);
    } catch (error) {
      // What the disk holds now is unknown: going on could acknowledge what is lost.
      this.#fail(error);
      throw error;
    }
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(act);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Resolves when a transaction has arrived, or when the heart beats. */
  async #arrival(heartbeatMs: number): Promise<void> {
    if (!this.#arrived) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, heartbeatMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#arrived = false;
  }

  #fail(cause: unknown): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#parts.options.onFailure(cause instanceof Error ? cause : new Error('the local chain failed', { cause }));
  }
}
