/** The worked examples of `docs/contracts.md`, computed: each number that the page has in bold in an example comes from here. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  contractNotional,
  feeOn,
  fillCapped,
  fundingRatePpb,
  fundingReceived,
  FUND_LOSS_SHARE_PPM,
  initialMargin,
  liquidationPrice,
  maintenanceMargin,
  nextMark,
  unrealizedProfit,
  type AtMark,
} from '@orrery/rules';
import { atoms, lots, NO_TICKS, ppm, ticks, type Atoms, type Ticks } from '@orrery/units';
import { btc, holding, INVERSE, LINEAR, usdc } from '../../rules/src/testing/contracts.ts';

const PAGE = readFileSync(new URL('../../../docs/contracts.md', import.meta.url), 'utf8');

/** The numbers in bold of the example that begins with this name. */
function numbersOf(name: string): readonly string[] {
  const example = PAGE.split(/\n(?=\*[A-Z]|\n)/u).find((part) => part.trimStart().startsWith(`*${name}.*`));
  return [...(example ?? '').matchAll(/\*\*([\d.,]+)\*\*/gu)].map(([, number]) => number ?? '');
}

const grouped = (text: string): string => text.replace(/\B(?=(?:\d{3})+(?!\d))/gu, ',');
/** An amount of an asset. */
function amount(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? 0n - value : value).padStart(decimals + 1, '0');
  const rest = digits.slice(-decimals).replace(/0+$/u, '');
  return grouped(digits.slice(0, -decimals)) + (rest === '' ? '' : `.${rest}`);
}
const inUsdc = (value: Atoms): string => amount(value, 6);
const inBtc = (value: Atoms): string => amount(value, 8);
/** A price of a contract with a tick of 0.1. */
const inPrice = (price: Ticks): string => `${grouped(String(Math.floor(price / 10)))}.${price % 10}`;

const ENTRY = ticks(600_000);
const HALF = lots(50_000);
const ONE = lots(100_000);

function marks(): readonly string[] {
  const round = { index: ticks(700_000), own: { bid: NO_TICKS, ask: NO_TICKS, last: NO_TICKS }, external: [], elapsedMs: 3_000 };
  const first = nextMark({ mark: ENTRY, basis: 0 }, round);
  return [first, nextMark(first, round)].map(({ mark }) => inPrice(mark));
}

function funding(): readonly string[] {
  const terms = { fundingIntervalMs: 3_600_000, interestPpm8h: ppm(100), fundingCapPpm: ppm(40_000) };
  const rate = fundingRatePpb(0, 0, terms);
  return [amount(BigInt(rate), 7), inUsdc(fundingReceived(ONE, true, ENTRY, rate, LINEAR))];
}

function waterfall(): readonly string[] {
  const loss = unrealizedProfit(holding('short', ONE, contractNotional(ENTRY, ONE, LINEAR)), ticks(630_000), LINEAR);
  const missing = atoms(0n - loss - usdc(1_500));
  const fund = atoms((usdc(20_000) * FUND_LOSS_SHARE_PPM) / 1_000_000n);
  const gains = [usdc(2_000), usdc(500)];
  const paid = fillCapped(
    atoms(missing - fund),
    gains.map((gain) => ({ weight: gain, cap: gain })),
  );
  return [missing, fund, ...paid].map(inUsdc);
}

/** Counts nine tenths; a lot of its market is 0.00001 BTC. */
const ONE_BITCOIN = { amount: btc(1), price: ENTRY, lotAtoms: atoms(1_000n), tickLotAtoms: atoms(1n), ratioPpm: ppm(900_000) };

/** The liquidation price of the first leg. */
function liquidated(at: Partial<AtMark> & Pick<AtMark, 'legs' | 'rest'>): string {
  return inPrice(liquidationPrice(at.legs[0]?.direction ?? 'long', { mark: ENTRY, terms: LINEAR, ...at }));
}

const inverseCost = contractNotional(ENTRY, lots(60_000), INVERSE);
const worthLater = contractNotional(ticks(500_000), lots(60_000), INVERSE);

test.each<[string, () => readonly string[]]>([
  [
    'Linear',
    () => {
      const cost = contractNotional(ENTRY, HALF, LINEAR);
      const profit = unrealizedProfit(holding('long', HALF, cost), ticks(630_000), LINEAR);
      return [inUsdc(contractNotional(ticks(630_000), HALF, LINEAR)), inUsdc(profit)];
    },
  ],
  ['Inverse', () => [inBtc(worthLater), inBtc(atoms(worthLater - inverseCost))]],
  [
    'Maintenance',
    () => [
      inUsdc(maintenanceMargin(contractNotional(ENTRY, HALF, LINEAR), LINEAR.tiers)),
      inUsdc(maintenanceMargin(contractNotional(ENTRY, lots(10_000_000), LINEAR), LINEAR.tiers)),
    ],
  ],
  [
    'Opening',
    () => {
      const notional = contractNotional(ENTRY, ONE, LINEAR);
      return [inUsdc(atoms(initialMargin(notional, 20) + feeOn(notional, ppm(500))))];
    },
  ],
  ['Mark step', marks],
  ['Funding', funding],
  ['Long', () => [liquidated({ legs: [holding('long', ONE, usdc(60_000))], rest: usdc(6_000) })]],
  ['Short', () => [liquidated({ legs: [holding('short', ONE, usdc(60_000))], rest: usdc(6_000) })]],
  ['Inverse long', () => [liquidated({ legs: [holding('long', 60_000, btc(1))], rest: btc(0.1), terms: INVERSE })]],
  [
    'Hedge mode',
    () => [liquidated({ legs: [holding('long', ONE, usdc(60_000)), holding('short', 80_000, usdc(48_000))], rest: usdc(5_700) })],
  ],
  ['Own coin', () => [liquidated({ legs: [holding('long', 500_000, usdc(300_000))], rest: usdc(850), coin: ONE_BITCOIN })]],
  ['Waterfall', waterfall],
])('the page of contracts: %s', (name, compute) => {
  const numbers = numbersOf(name);
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual(compute());
});
