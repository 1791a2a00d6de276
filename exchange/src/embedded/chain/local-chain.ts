/**
 * The embedded chain: anvil behind a log of ours, so that kill -9 at any instant loses no acknowledged transaction
 * and changes no block that anyone has seen.
 *
 * A transaction is judged first: by its signature, by what its sender owns, and by the node. What the node has taken is appended to the log
 * and synced before it is acknowledged; an order to mine is synced before the node gets it. So every block comes from what is on disk. After
 * a crash the newest snapshot is loaded and the rest is replayed; the node reaches the same blocks, and each hash is compared.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Hash } from 'viem';
import { ChainLog, type ChainRecord, removeSegmentsBefore } from './chain-log.ts';
import { StartError } from '../../start-error.ts';
import { ensureGenesis, type Allocation } from './genesis.ts';
import { holdFolder } from './hold-folder.ts';
import type { ChainNode } from './node.ts';
import { type BlockHead, recover, type Recovered } from './recovery.ts';
import type { SignedTransaction } from './signed-transaction.ts';
import { removeSnapshotsBefore, writeSnapshot } from './snapshot.ts';
import { TransactionPool } from './transaction-pool.ts';

export interface LocalChainOptions {
  readonly directory: string;
  readonly chainId: number;
  /** Who owns what in block zero; read at the first start only. */
  readonly allocations: readonly Allocation[];
  /** Called once, when the chain cannot continue: the program must end. */
  readonly onFailure: (error: Error) => void;
  /** A block is mined at least so often. */
  readonly heartbeatMs?: number;
  /** From one block to the next, at least: what arrives meanwhile shares it. The first after a quiet time comes at once. */
  readonly minBlockIntervalMs?: number;
  /** Blocks between snapshots. */
  readonly snapshotEvery?: number;
  /** Of the log. */
  readonly segmentBytes?: number;
}

const HEARTBEAT_MS = 15_000;
/** 43,200 blocks a day at most, of which some 6.6 are lucky. */
export const MIN_BLOCK_INTERVAL_MS = 2_000;
const SNAPSHOT_EVERY = 500;
/** A log that has grown by this is replaced by a snapshot, however few blocks it has. */
const SNAPSHOT_LOG_BYTES = 64 * 1024 * 1024;
/** Transactions that arrive together share a block. */
const GATHER_MS = 25;

/** @throws StartError with one sentence for the person who runs the program. */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const chain = await openChain(options);
  try {
    await chain.mineWaiting();
    return chain;
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

async function openChain(options: LocalChainOptions): Promise<LocalChain> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const folder = await holdFolder(options.directory);
  try {
    const timestamp = Math.floor(Date.now() / 1000);
    const genesis = ensureGenesis({ ...options, timestamp });
    const place = { directory: options.directory, chainId: options.chainId, genesis, segmentBytes: options.segmentBytes };
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
  #pool: TransactionPool;
  /** The node receives one input at a time: so the log has the node's own order. */
  #turn: Promise<unknown> = Promise.resolve();
  #nodeIsDead = false;
  readonly #interval: number;
  /** By the monotonic clock. */
  #minedAt: number;
  #isQuick = false;
  #stopping = false;
  readonly #stopSignal = new AbortController();
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
    this.#pool = new TransactionPool(parts.recovered.pool);
    this.#arrived = this.#pool.size > 0;
    this.#interval = parts.options.minBlockIntervalMs ?? MIN_BLOCK_INTERVAL_MS;
    // A restart does not bring the next block nearer.
    const age = Date.now() - this.#head.timestamp * 1000;
    this.#minedAt = performance.now() - Math.min(Math.max(age, 0), this.#interval);
    void this.#watch();
    this.#mining = this.#mineOnDemand();
  }

  head(): BlockHead {
    return this.#head;
  }

  /** Asks the node, without any gate: for our own services. Transactions must go through `send`. */
  async read(method: string, params: readonly unknown[]): Promise<unknown> {
    const node = this.#nodeIsDead ? await this.#inTurn(() => this.#livingNode()) : this.#recovered.node;
    return node.call(method, params);
  }

  /**
   * Acknowledged means on disk and never lost. One that waits already, or was mined, is acknowledged again.
   * @throws RpcError for what can not be mined or paid for; it leaves no trace.
   */
  send(transaction: SignedTransaction): Promise<Hash> {
    return this.#inTurn(async () => {
      const node = await this.#livingNode();
      const { raw, hash, sender } = transaction;
      if (this.#pool.has(hash)) return hash;
      const account = await node.account(sender);
      if (transaction.nonce < account.nonce && (await node.knows(hash))) return hash;
      this.#pool.check(transaction, account);
      // Before the log: the node has the last word. Nothing is mined before the next turn, so no block can hold it before the disk does.
      await node.call('eth_sendRawTransaction', [raw]);
      await this.#append([{ type: 'transaction', raw }]);
      this.#pool.add(transaction);
      this.#arrived = true;
      this.#wake();
      return hash;
    });
  }

  /** What waited when the program ended is mined before anybody sends more: a deployment that goes on counts what is mined. */
  mineWaiting(): Promise<void> {
    return this.#inTurn(async () => {
      for (let left = Number.POSITIVE_INFINITY; this.#pool.size > 0 && this.#pool.size < left;) {
        left = this.#pool.size;
        await this.#mine();
      }
    });
  }

  /** Without the interval between blocks while `act` runs: for a chain that nobody else can reach yet. */
  async withQuickBlocks<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#isQuick = true;
    try {
      return await act();
    } finally {
      this.#isQuick = false;
    }
  }

  /** Takes a last snapshot and ends the node. What is not mined yet is in the log and is mined by the next start. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    const failed = this.#stopping;
    this.#stopping = true;
    this.#stopSignal.abort();
    this.#wake();
    await this.#mining;
    await this.#inTurn(async () => {
      if (!failed && !this.#nodeIsDead && this.#head.number > this.#recovered.snapshot) await this.#snapshot();
      await this.#recovered.node.end();
    });
    await this.#log.close();
    await this.#parts.folder.release();
  }

  async #mineOnDemand(): Promise<void> {
    while (!this.#stopping) {
      await this.#arrival(this.#parts.options.heartbeatMs ?? HEARTBEAT_MS);
      await delay(this.#pauseBeforeBlock(), undefined, { signal: this.#stopSignal.signal }).catch(() => undefined);
      if (this.#stopping) return;
      try {
        await this.#inTurn(() => this.#mine());
      } catch (error) {
        // The next task restarts a node that died; every other failure is fatal.
        if (!(error instanceof TypeError)) return this.#fail(error);
      }
    }
  }

  #pauseBeforeBlock(): number {
    return this.#isQuick ? GATHER_MS : Math.max(GATHER_MS, this.#minedAt + this.#interval - performance.now());
  }

  async #mine(): Promise<void> {
    const node = await this.#livingNode();
    const number = this.#head.number + 1;
    // When the clock is set back the chain's goes on, by the interval in whole seconds.
    const step = this.#isQuick ? 0 : Math.floor(this.#interval / 1000);
    const timestamp = Math.max(Math.floor(Date.now() / 1000), this.#head.timestamp + step);
    await this.#append([{ type: 'mine', number, timestamp }]);
    const block = await node.mine(timestamp);
    if (block.number !== number) throw new StartError(`The local chain mined block ${block.number} in place of ${number}.`);
    // Need not be on disk yet: mining again after a crash gives the same block.
    await this.#write([{ type: 'block', number, hash: block.hash }]);
    this.#minedAt = performance.now();
    this.#pool.mined(block.transactions);
    if (this.#pool.size > 0 && (await node.poolSize()) !== this.#pool.size) this.#pool.keepOnly(await node.held());
    this.#head = { number, hash: block.hash, timestamp };
    // What is left waits for room in a block, unless this one took nothing: then it waits for a nonce.
    this.#arrived ||= block.transactions.length > 0 && this.#pool.size > 0;
    const { snapshotEvery = SNAPSHOT_EVERY } = this.#parts.options;
    if (number - this.#recovered.snapshot >= snapshotEvery || this.#log.bytes > SNAPSHOT_LOG_BYTES) await this.#snapshot();
  }

  /** The new segment is on disk before the snapshot that makes it the one to start from. */
  async #snapshot(): Promise<void> {
    const { directory, segmentBytes } = this.#parts.options;
    const older = this.#recovered.snapshot;
    const dump = await this.#recovered.node.dumpState();
    // Whole on disk: only the newest segment can have a torn end.
    await this.#log.close();
    this.#log = await ChainLog.create({ directory, ...(segmentBytes !== undefined && { segmentBytes }) }, this.#head.number);
    await this.#append(this.#pool.raws().map((raw) => ({ type: 'transaction', raw })));
    await writeSnapshot(directory, this.#head, dump);
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
      await this.#log.close();
      this.#recovered = await this.#parts.recover();
      this.#nodeIsDead = false;
      this.#log = this.#recovered.log;
      this.#head = this.#recovered.head;
      this.#pool = new TransactionPool(this.#recovered.pool);
      this.#arrived = this.#pool.size > 0;
      void this.#watch();
    }
    return this.#recovered.node;
  }

  #append(records: readonly ChainRecord[]): Promise<void> {
    return this.#orFail(this.#log.append(records));
  }

  #write(records: readonly ChainRecord[]): Promise<void> {
    return this.#orFail(this.#log.write(records));
  }

  async #orFail(writing: Promise<void>): Promise<void> {
    try {
      await writing;
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
    this.#stopSignal.abort();
    this.#parts.options.onFailure(cause instanceof Error ? cause : new Error('the local chain failed', { cause }));
  }
}
