/** The fund of the house in the whole program: carry enters on both sides, is killed, and goes on with what it has. */
import { createClient } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const FUND = { fundId: 'QUANTO1' };
const [VALUATION, NIGHT] = [600_000, 12 * 3_600_000];
/** From a start to the valuation after it: its prices are fresh by then. */
const BEFORE = 50_000;
const PATIENCE = { withinMs: 120_000 };
const SYMBOLS = ['BTC_USDC', 'ETH_USDC'];

let output = '';
withProgram({ env: { ORRERY_LOG: 'info' }, onOutput: (text) => (output += text) });

const client = () => createClient({ baseUrl: program.url });

/** What the manager of carry says of a contract, with the lots of coins and of the contract that it has read. */
const said = (symbol: string): readonly { readonly what: string; readonly legs: readonly number[] }[] =>
  [...output.matchAll(/CARRY: ([A-Z_]+): ([a-z ]+?),? (?:with )?(\d+) lots of coins and (-?\d+) short/g)]
    .filter(([, of]) => of === symbol)
    .map(([, , what = '', coins, short]) => ({ what, legs: [Number(coins), Number(short)] }));
const last = (symbol: string) => said(symbol).at(-1);

async function startLater(ms: number): Promise<void> {
  output = '';
  await startAgain({ ORRERY_TEST_LATER_MS: String(ms) });
}

/** How far ahead the clock is when a valuation is near, at least by this. */
const untilValuation = (ms: number): number => Math.ceil((Date.now() + ms + BEFORE) / VALUATION) * VALUATION - BEFORE - Date.now();

/** It has read what it has, on every market. */
const begun = (): Promise<boolean> => Promise.resolve(SYMBOLS.every((symbol) => said(symbol).some(({ what }) => what === 'begins')));

test(
  '[A12] carry has as much of a contract as coins, goes on with them after kill -9, and a night that the exchange was off does not end its fund',
  { timeout: 600_000 },
  async () => {
    await until(
      'both legs of all coins stand at 30 % of the fund',
      () => Promise.resolve(SYMBOLS.every((symbol) => said(symbol).filter(({ what }) => what === 'contract sell').length >= 6)),
      PATIENCE,
    );
    const entered = SYMBOLS.map((symbol) => last(symbol)?.legs);
    for (const [coins, short] of entered.map((legs) => legs ?? [])) expect(coins).toBe(short);
    await program.kill();

    await startLater(untilValuation(VALUATION));
    await until('it begins again', begun, PATIENCE);
    await until('its coins are part of its worth', async () => Number((await client().fundDetail(FUND)).cash) < 6_000, PATIENCE);
    const { aum } = await client().fundDetail(FUND);
    // Fees and spreads of both legs, and nothing more.
    expect(Number(aum)).toBeGreaterThan(9_950);
    expect(Number(aum)).not.toBe(10_000);
    expect(SYMBOLS.map((symbol) => said(symbol).map(({ legs }) => legs))).toEqual(entered.map((legs) => [legs]));
    await program.stop();

    await startLater(untilValuation(NIGHT));
    await until('it begins after the night', begun, PATIENCE);
    await until(
      'the fund is valued after the night',
      async () => ((await client().fundDetail(FUND)).valuedTime ?? 0) > Date.now() + NIGHT - VALUATION,
      PATIENCE,
    );
    expect((await client().fundDetail(FUND)).status).toBe('OPEN');
    for (const symbol of SYMBOLS) {
      const [coins = 0, short = 0] = last(symbol)?.legs ?? [];
      expect(coins).toBeGreaterThan(0);
      expect(short).toBe(coins);
    }
  },
);
