/** Flows as columns, which a thread hands to another without a copy of each. */
import { type AccountId, accountId, assert, type MarketId, marketId } from '@orrery/units';

/** As much of a flow as clusters are found by. */
export interface Meeting {
  readonly market: MarketId;
  readonly block: number;
  readonly taker: AccountId;
  readonly maker: AccountId;
  readonly trades: number;
  /** Of the trades: those against an order that was only seconds old. */
  readonly quick: number;
  /** Lots traded in all, and lots bought by the taker less those sold. */
  readonly lots: bigint;
  readonly netLots: bigint;
  /** Quote atoms of the trades in which the taker paid a fee. */
  readonly takerLeg: { readonly volume: bigint };
}

export interface PackedFlows {
  /** Market, block, taker, maker, trades and quick ones of each. */
  readonly counts: Float64Array<ArrayBuffer>;
  /** Lots, net lots and the taker's volume of each. */
  readonly sums: BigInt64Array<ArrayBuffer>;
}

const [COUNTS, SUMS] = [6, 3];

/** Called where others wait for the thread: it makes nothing but the columns. */
export function pack(flows: readonly Meeting[]): PackedFlows {
  const counts = new Float64Array(flows.length * COUNTS);
  const sums = new BigInt64Array(flows.length * SUMS);
  let [atCount, atSum] = [0, 0];
  for (const flow of flows) {
    counts[atCount] = flow.market;
    counts[atCount + 1] = flow.block;
    counts[atCount + 2] = flow.taker;
    counts[atCount + 3] = flow.maker;
    counts[atCount + 4] = flow.trades;
    counts[atCount + 5] = flow.quick;
    sums[atSum] = flow.lots;
    sums[atSum + 1] = flow.netLots;
    sums[atSum + 2] = flow.takerLeg.volume;
    assert(sums[atSum] === flow.lots && sums[atSum + 2] === flow.takerLeg.volume, 'what two trade in four hours fits into 63 bits');
    atCount += COUNTS;
    atSum += SUMS;
  }
  return { counts, sums };
}

export function unpack({ counts, sums }: PackedFlows): readonly Meeting[] {
  return Array.from({ length: counts.length / COUNTS }, (_, index) => {
    const [market = 0, block = 0, taker = 0, maker = 0, trades = 0, quick = 0] = counts.subarray(index * COUNTS, (index + 1) * COUNTS);
    const [lots = 0n, netLots = 0n, volume = 0n] = sums.subarray(index * SUMS, (index + 1) * SUMS);
    return {
      market: marketId(market),
      block,
      taker: accountId(taker),
      maker: accountId(maker),
      trades,
      quick,
      lots,
      netLots,
      takerLeg: { volume },
    };
  });
}
