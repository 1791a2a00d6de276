/** For tests: lucky blocks as a test wants them found, and the trades of a day. */
import { isLuckyHash } from '@orrery/api';
import type { AccountId, Address } from '@orrery/units';
import type { ClustersPort } from '../lucky/blocks.ts';
import type { LuckyFind, LuckyFindsPort } from '../lucky/finds.ts';
import type { LuckyTerms } from '../lucky/lucky.ts';

export interface Sending {
  readonly sender: Address;
  readonly recipient?: Address;
  readonly value?: bigint;
  readonly hasData?: boolean;
}

export interface Sealing {
  /** What the hash begins with. */
  readonly prefix?: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The first sender in it; undefined when it is empty. */
  readonly first?: Sending;
}

const SOMEBODY = `0x${'5'.repeat(40)}` as Address;

/** A chain whose every block is final at once; what is not lucky is not found. */
export class LuckyChain implements LuckyFindsPort {
  readonly #blocks: LuckyFind[] = [];
  #ids = 0;
  #waiters: (() => void)[] = [];
  isRead = true;
  /** Others of each day, none of them lucky. */
  ordinaryBlocks = 43_200;

  /** Answers the hash. */
  seal({ prefix = '0x7777', at, first }: Sealing): string {
    const blockNumber = this.#blocks.length + 1;
    const blockHash = `${prefix}${blockNumber.toString(16).padStart(60, 'b')}`;
    this.#blocks.push({
      id: this.#nextId(),
      blockNumber,
      blockHash,
      blockTime: at,
      foundAt: at,
      isTakenBack: false,
      transaction: sent(first, blockNumber),
    });
    return blockHash;
  }

  takeBack(blockHash: string): void {
    this.#change(blockHash, { isTakenBack: true });
  }

  giveBack(blockHash: string): void {
    this.#change(blockHash, { isTakenBack: false, id: this.#nextId() });
  }

  after(id: number): Promise<readonly LuckyFind[]> {
    return Promise.resolve(
      this.#found()
        .filter((find) => find.id > id)
        .sort((a, b) => a.id - b.id),
    );
  }

  find(blockHash: string): Promise<LuckyFind | undefined> {
    return Promise.resolve(this.#found().find((find) => find.blockHash === blockHash));
  }

  takenBack(): Promise<readonly string[]> {
    return Promise.resolve(this.#found().flatMap(({ isTakenBack, blockHash }) => (isTakenBack ? [blockHash] : [])));
  }

  page({ sender, page, pageSize }: Parameters<LuckyFindsPort['page']>[0]): ReturnType<LuckyFindsPort['page']> {
    const all = this.#found().filter(({ transaction }) => sender === undefined || transaction?.sender === sender);
    return Promise.resolve({ list: all.toReversed().slice((page - 1) * pageSize, page * pageSize), total: all.length });
  }

  draws({ sender, from, until }: Parameters<LuckyFindsPort['draws']>[0]): ReturnType<LuckyFindsPort['draws']> {
    const drawn = this.#blocks.filter(
      ({ isTakenBack, transaction, blockTime }) =>
        !isTakenBack && blockTime >= from && blockTime < until && (sender === undefined || transaction?.sender === sender),
    );
    const others = sender === undefined ? this.ordinaryBlocks : 0;
    return Promise.resolve({ draws: others + drawn.length, lucky: drawn.filter(({ blockHash }) => isLuckyHash(blockHash)).length });
  }

  reached(): Promise<void> {
    return this.isRead ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }

  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Callers that wait for the chain to be read continue. */
  read(): void {
    this.isRead = true;
    for (const resolve of this.#waiters) resolve();
    this.#waiters = [];
  }

  #found(): LuckyFind[] {
    return this.#blocks.filter(({ blockHash }) => isLuckyHash(blockHash));
  }

  #nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #change(blockHash: string, change: Partial<LuckyFind>): void {
    const place = this.#blocks.findIndex((block) => block.blockHash === blockHash);
    const block = this.#blocks[place];
    if (block === undefined) throw new Error(`no block ${blockHash}`);
    this.#blocks[place] = { ...block, ...change };
  }
}

function sent(first: Sending | undefined, blockNumber: number): LuckyFind['transaction'] {
  if (first === undefined) return undefined;
  const { sender, value = 1n, hasData = false } = first;
  const recipient = first.recipient ?? SOMEBODY;
  return { hash: `0x${blockNumber.toString(16).padStart(64, '0')}`, sender, recipient, value, hasData };
}

/** Trades with and without a fee, of accounts at times. */
export class Trades {
  readonly #all: { readonly account: AccountId; readonly at: number; readonly fee: bigint }[] = [];

  add(trade: { account: AccountId; at: number; fee: bigint }): void {
    this.#all.push(trade);
  }

  reached(): Promise<void> {
    return Promise.resolve();
  }

  hasPaidFee({ account, from, until }: { account: AccountId; from: number; until: number }): Promise<boolean> {
    return Promise.resolve(this.#all.some((trade) => trade.account === account && trade.fee > 0n && trade.at >= from && trade.at < until));
  }
}

/** Where everybody is alone. */
export const noClusters: ClustersPort = {
  reached: () => Promise.resolve(),
  find: () => Promise.resolve({ isOneCluster: () => false }),
};

/** Where no lucky block is found. */
export const noLuck: LuckyTerms = { finds: new LuckyChain(), trades: new Trades(), announcedAt: '0 12 * * *', excluded: [], chain: 'ours' };
