/**
 * The longest command of each kind that may meet much: how long it holds everybody else. Each pass gives the same commands, and of each the least time of
 * all passes counts: these are milliseconds, of which other processes take their part.
 */
import { BANKRUPT, BEYOND_THE_EDGE, Crowd, EDGE } from './engine/crowd.ts';
import { DeepBook, MAKERS } from './engine/deep-book.ts';
import { collectGarbage, rounded, whole } from './measure.ts';
import type { Findings, Part } from './part.ts';

const SIZES = [
  { count: 1_000, passes: 8 },
  { count: 10_000, passes: 6 },
  { count: 100_000, passes: 3 },
] as const;

export const stallsPart: Part = { name: 'stalls', about: 'the longest command of each kind, among 1,000 to 100,000', measure };

/** The milliseconds of the commands of a pass. */
type Kind = readonly [what: string, pass: (count: number) => readonly number[]];

export const KINDS: readonly Kind[] = [
  ...MAKERS.map((makers): Kind => [`order through ${makers} makers`, (count) => new DeepBook(makers, count).takeAll()]),
  ['cancel-all of 200 orders', (count) => [new DeepBook('plain', count).cancelAllOfOne()]],
  ['settlement of funding, and its sweep', (count) => new Crowd({ positions: count, near: 10 }).fund().map(({ ms }) => ms)],
  ['first round after a start', firstRound],
  ['round that liquidates 1,000', liquidations],
  ['deleveraging of one, against all shorts', deleveraging],
];

function measure(): Findings {
  const points = SIZES.flatMap(({ count, passes }) =>
    KINDS.map(([what, pass]) => {
      const least: number[] = [];
      for (let index = 0; index < passes; index += 1) {
        collectGarbage();
        for (const [place, ms] of pass(count).entries()) least[place] = Math.min(ms, least[place] ?? ms);
      }
      return { what, count, longestMs: rounded(Math.max(...least), 2), wholeMs: rounded(sumOf(least), 1), commands: least.length };
    }),
  );
  const lines = points.map(
    ({ what, count, longestMs, wholeMs, commands }) =>
      `${whole(count).padStart(7)}: ${what}: longest ${longestMs} ms, all ${commands} commands ${wholeMs} ms`,
  );
  return { figures: { stalls: points }, lines };
}

function firstRound(count: number): readonly number[] {
  const crowd = new Crowd({ positions: count, near: 10 });
  crowd.restart();
  for (let round = 0; round < 2; round += 1) crowd.price(EDGE);
  return crowd.price(EDGE).map(({ ms }) => ms);
}

/** A thousand at once, among the others. */
function liquidations(count: number): readonly number[] {
  const crowd = new Crowd({ positions: count + 1_000, near: 1_000 });
  return crowd.price(BEYOND_THE_EDGE).map(({ ms }) => ms);
}

/** The fund is empty: what one bankrupt position lacks is divided over half of the others. */
function deleveraging(count: number): readonly number[] {
  const crowd = new Crowd({ positions: count, near: 1, insured: false });
  return crowd.price(BANKRUPT).map(({ ms }) => ms);
}

const sumOf = (times: readonly number[]): number => times.reduce((sum, ms) => sum + ms, 0);
