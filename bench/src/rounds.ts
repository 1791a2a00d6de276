/**
 * Rounds of mark prices over 1,000, 10,000 and 100,000 open positions of which 1 % are near the edge: the round that reaches nobody, the one that
 * liquidates all of those, the first rounds after funding and after a start, and funding itself. Each pass gives the same commands, and
 * of each command the least time of all passes counts: these are milliseconds, of which other processes take their part.
 */
import { BEYOND_THE_EDGE, Crowd, EDGE, type Answer } from './engine/crowd.ts';
import { collectGarbage, median, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

const SIZES = [
  { positions: 1_000, passes: 8 },
  { positions: 10_000, passes: 5 },
  { positions: 100_000, passes: 2 },
] as const;
const NEAR_SHARE = 0.01;
const QUIET_ROUNDS = 200;
/** How far the price moves in a round that reaches nobody, in ticks of which the mark has about a million. */
const QUIET_STEP = 300;

export const roundsPart: Part = { name: 'rounds', about: 'rounds of mark prices over 1,000 to 100,000 open positions', measure };

/** Milliseconds, command by command. */
interface Pass {
  readonly quiet: readonly number[];
  /** The round that liquidates those near the edge, and its continuations. */
  readonly edge: readonly number[];
  /** The settlement, and its sweep. */
  readonly funding: readonly number[];
  readonly afterFunding: readonly number[];
  readonly afterStart: readonly number[];
}

function measure(): Findings {
  const points = SIZES.map(({ positions, passes }) => {
    const timed = Array.from({ length: passes }, () => passOf(positions));
    const least = (field: keyof Pass): readonly number[] => leastOf(timed.map((pass) => pass[field]));
    const [quiet, edge, funding] = [least('quiet'), least('edge'), least('funding')];
    return {
      positions,
      quietMs: rounded(median(quiet), 3),
      edgeMs: rounded(edge[0] ?? 0, 2),
      edgeCommands: edge.length,
      slowestEdgeMs: rounded(Math.max(...edge), 2),
      wholeEdgeMs: rounded(sumOf(edge), 2),
      settlementMs: rounded(funding[0] ?? 0, 3),
      sweepCommands: funding.length - 1,
      slowestSweepMs: rounded(Math.max(...funding), 2),
      wholeSweepMs: rounded(sumOf(funding), 2),
      afterFundingMs: rounded(sumOf(least('afterFunding')), 2),
      afterStartMs: rounded(sumOf(least('afterStart')), 2),
    };
  });
  return {
    figures: { rounds: points },
    lines: points.flatMap((point) => [
      `${whole(point.positions).padStart(7)} positions: a round that reaches nobody ${point.quietMs} ms`,
      `        … that liquidates 1 %: ${point.edgeMs} ms, with its ${point.edgeCommands - 1} continuations ${point.wholeEdgeMs} ms, slowest command ${point.slowestEdgeMs} ms`,
      `        … the first after funding ${point.afterFundingMs} ms, after a start ${point.afterStartMs} ms`,
      `        a settlement of funding ${point.settlementMs} ms, its sweep ${point.sweepCommands} commands of at most ${point.slowestSweepMs} ms, ${point.wholeSweepMs} ms in all`,
    ]),
  };
}

function passOf(positions: number): Pass {
  const near = positions * NEAR_SHARE;
  const crowd = new Crowd({ positions, near });
  collectGarbage();
  const funding = crowd.fund();
  const paid = funding.flatMap(({ events }) => events).filter(({ type }) => type === 'FundingPaid').length;
  if (paid !== positions) throw new Error(`${paid} positions paid funding, not ${positions}`);
  collectGarbage();
  const afterFunding = timesOf(crowd.price(EDGE));
  const quiet = Array.from({ length: QUIET_ROUNDS }, (_, round) => quietRound(crowd, round % 2 === 0 ? EDGE + QUIET_STEP : EDGE));
  crowd.restart();
  for (let round = 0; round < 2; round += 1) crowd.price(EDGE);
  collectGarbage();
  const afterStart = timesOf(crowd.price(EDGE));
  collectGarbage();
  const edge = crowd.price(BEYOND_THE_EDGE);
  const liquidated = new Set(edge.flatMap(({ events }) => events.map((event) => (event.type === 'LiquidationStep' ? event.account : 0))));
  liquidated.delete(0);
  if (liquidated.size !== near) throw new Error(`${liquidated.size} accounts were liquidated, not ${near}`);
  return { quiet, edge: timesOf(edge), funding: timesOf(funding), afterFunding, afterStart };
}

function quietRound(crowd: Crowd, price: number): number {
  const answers = crowd.price(price);
  if (answers.length > 1) throw new Error('a quiet round leaves nothing over');
  return sumOf(timesOf(answers));
}

const timesOf = (answers: readonly Answer[]): readonly number[] => answers.map(({ ms }) => ms);
const sumOf = (times: readonly number[]): number => times.reduce((sum, ms) => sum + ms, 0);

/** Of each command the least time of all passes. */
const leastOf = ([first = [], ...others]: readonly (readonly number[])[]): readonly number[] =>
  first.map((ms, command) => Math.min(ms, ...others.map((pass) => pass[command] ?? ms)));
