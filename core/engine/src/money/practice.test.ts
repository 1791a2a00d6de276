import { expect, test } from 'vitest';
import { accountId, assetId, atoms, marketId, millis, seq } from '@orrery/units';
import type { Command, Event } from '@orrery/protocol';
import { createEngine, decodeState } from '../engine.ts';
import { BTC_USDC, ContractScene, USDC, usdc } from '../testing/contract-scene.ts';
import { BTC_PRACTICE, practice, PRACTICE_ASSET, PracticeScene } from '../testing/practice-scene.ts';

const DAY_MS = 86_400_000;
const REAL = BTC_USDC.market;
const PLAY = BTC_PRACTICE.market;

/** The reason of a refusal, or the kinds of the events. */
const said = (events: readonly Event[]): string =>
  events
    .filter(({ type }) => type !== 'BalanceChanged')
    .map((event) => (event.type === 'CommandRejected' ? `${event.reason} ${event.field}`.trim() : event.type))
    .join(', ');

test('anyone may have 10,000 in a UTC day, once, and again on the next day', () => {
  const scene = new PracticeScene();
  const alice = scene.person('alice', usdc(0));
  const bob = scene.person('bob', usdc(0));
  scene.waitUntil(20 * DAY_MS - 1);
  const grant = (account: number, day: number): string =>
    said(scene.give({ type: 'GrantPractice', account: accountId(account), day: millis(day * DAY_MS) }));
  expect(grant(alice, 20)).toBe('InvalidField day');
  expect(grant(alice, 19)).toBe('PracticeGranted');
  expect(grant(alice, 19)).toBe('CommandRepeated');
  expect(scene.futures(alice, PRACTICE_ASSET)).toBe(practice(10_000));
  expect(scene.futures(bob, PRACTICE_ASSET)).toBe(0n);
  scene.waitUntil(20 * DAY_MS);
  expect(grant(alice, 19)).toBe('CommandRepeated');
  expect(grant(bob, 19)).toBe('InvalidField day');
  expect(grant(alice, 20)).toBe('PracticeGranted');
  expect(scene.futures(alice, PRACTICE_ASSET)).toBe(practice(20_000));
  expect(scene.systemOf('EXTERNAL', PRACTICE_ASSET)).toBe(0n - practice(20_000));
  scene.replay();
});

test('a grant needs accepted terms like all money, and none is given to a blocked account', () => {
  const scene = new PracticeScene();
  const alice = scene.person('alice', usdc(0));
  const grant: Command = { type: 'GrantPractice', account: alice, day: millis(11 * DAY_MS) };
  const stock: Command = { type: 'StockPractice', account: alice, upTo: practice(1) };
  const set = (flag: 'termsAccepted' | 'blocked', value: boolean): unknown =>
    scene.must({ type: 'SetAccountFlag', account: alice, flag, value });
  set('termsAccepted', false);
  expect([said(scene.give(grant)), said(scene.give(stock))]).toEqual(['TermsNotAccepted account', 'TermsNotAccepted account']);
  set('blocked', true);
  expect([said(scene.give(grant)), said(scene.give(stock))]).toEqual(['AccountBlocked account', 'AccountBlocked account']);
  set('blocked', false);
  set('termsAccepted', true);
  expect(said(scene.give(grant))).toBe('PracticeGranted');
  expect(said(scene.give({ ...grant, account: accountId(99) }))).toBe('UnknownAccount account');
});

test('an account of the exchange is stocked up to an amount: what it has counts, and there is a limit', () => {
  const scene = new PracticeScene();
  const house = scene.person('house', usdc(0));
  const stock = (upTo: bigint): string => said(scene.give({ type: 'StockPractice', account: house, upTo: atoms(upTo) }));
  expect(stock(practice(500))).toBe('PracticeGranted');
  expect(stock(practice(500))).toBe('CommandRepeated');
  expect(stock(practice(700))).toBe('PracticeGranted');
  expect(scene.futures(house, PRACTICE_ASSET)).toBe(practice(700));
  expect([stock(0n), stock(practice(10_000_001))]).toEqual(['InvalidAmount upTo', 'InvalidAmount upTo']);
});

test('the practice asset is named once, is internal, and is nobody’s before', () => {
  const scene = new ContractScene();
  const asset = assetId(3);
  const name = (id = asset): string => said(scene.give({ type: 'SetPracticeAsset', asset: id }));
  expect(name()).toBe('UnknownAsset asset');
  expect(name(USDC)).toBe('InvalidField asset');
  scene.must({ type: 'RegisterAsset', asset, code: 'PRACTICE', decimals: 6, kind: 'internal' });
  const early = scene.give({ type: 'RegisterContract', ...BTC_PRACTICE });
  expect(said(early)).toBe('InvalidField settle');
  scene.must({ type: 'FundBudget', key: 'before', budget: 'rewards', asset, amount: atoms(1n) });
  expect(name()).toBe('AlreadyRegistered asset');
  const fresh = new PracticeScene();
  expect(said(fresh.give({ type: 'SetPracticeAsset', asset: PRACTICE_ASSET }))).toBe('CommandRepeated');
});

test('before rules 7 there is no practice', () => {
  const engine = createEngine();
  let next = 0;
  const give = (command: Command): string => said(engine.apply({ seq: seq((next += 1)), at: millis(DAY_MS), command }));
  give({ type: 'UpgradeRules', version: 6 });
  give({ type: 'RegisterAsset', asset: PRACTICE_ASSET, code: 'PRACTICE', decimals: 6, kind: 'internal' });
  const account = accountId(1);
  const commands: readonly Command[] = [
    { type: 'SetPracticeAsset', asset: PRACTICE_ASSET },
    { type: 'GrantPractice', account, day: millis(DAY_MS) },
    { type: 'StockPractice', account, upTo: atoms(1n) },
    { type: 'SetPositionMode', account, payoff: 'practice', mode: 'hedge' },
    { type: 'CloseAllPositions', account, payoff: 'practice', mode: 'market', key: 'k' },
  ];
  expect(commands.map(give)).toEqual(commands.map(() => 'RulesTooOld'));
});

/** Alice is long in both contracts against the house. */
function bothOpen(): { scene: PracticeScene; alice: ReturnType<PracticeScene['person']>; house: ReturnType<PracticeScene['person']> } {
  const scene = new PracticeScene();
  scene.insurance(usdc(10_000));
  scene.must({ type: 'FundBudget', key: 'practice', budget: 'insurance', asset: PRACTICE_ASSET, amount: practice(10_000) });
  scene.must({ type: 'SetLiquidator', account: scene.person('liquidator', usdc(0)) });
  const alice = scene.person('alice', usdc(10_000));
  const house = scene.person('house', usdc(1_000_000));
  scene.stock(alice, 1_600);
  scene.stock(house, 1_000_000);
  scene.settle(600_000);
  for (const market of [REAL, PLAY]) {
    scene.must({ type: 'SetLeverage', account: alice, market, positionSide: 'both', leverage: 40 });
    scene.tradeIn(market, alice, house, 100_000, 600_000);
  }
  return { scene, alice, house };
}

test('P6: a practice position is liquidated by its own money, fund and liquidator, and nothing real moves', () => {
  const { scene, alice } = bothOpen();
  const real = scene.futures(alice, USDC);
  const fund = scene.systemOf('INSURANCE', USDC);
  const events: Event[] = [];
  for (const price of [590_000, 580_000, 570_000]) events.push(...scene.roundIn(PLAY, price));
  const steps = events.filter((event) => event.type === 'LiquidationStep');
  expect(steps.some(({ account }) => account === alice)).toBe(true);
  expect(steps.every(({ market }) => market === PLAY)).toBe(true);
  expect(events.some((event) => event.type === 'PositionChanged' && event.market === REAL)).toBe(false);
  expect(scene.futures(alice, USDC)).toBe(real);
  expect(scene.systemOf('INSURANCE', USDC)).toBe(fund);
  expect(scene.futures(alice, PRACTICE_ASSET)).toBe(0n);
  scene.replay();
});

test('a real loss takes no practice money, and practice money carries no real order', () => {
  const { scene, alice } = bothOpen();
  const play = scene.futures(alice, PRACTICE_ASSET);
  scene.stock(alice, 1_000_000);
  const more = scene.orderIn(REAL, alice, 'buy', 600_000, 600_000);
  expect(said(scene.give(more))).toBe('InsufficientMargin');
  for (const price of [580_000, 560_000, 540_000, 520_000]) scene.roundIn(REAL, price);
  expect(scene.futures(alice, PRACTICE_ASSET)).toBeGreaterThan(play);
  expect(scene.futures(alice, USDC)).toBeLessThan(usdc(10_000));
});

test('O8: a close-all closes real contracts or practice ones, never both', () => {
  const { scene, alice, house } = bothOpen();
  for (const market of [REAL, PLAY]) scene.must(scene.orderIn(market, house, 'buy', 100_000, 600_000));
  const closed = (payoff: 'any' | 'practice'): readonly number[] =>
    scene
      .must({ type: 'CloseAllPositions', account: alice, payoff, mode: 'market', key: payoff })
      .flatMap((event) => (event.type === 'PositionReduced' && event.account === alice ? [event.market] : []));
  expect(closed('any')).toEqual([REAL]);
  expect(closed('practice')).toEqual([PLAY]);
  scene.replay();
});

test('practice contracts have a position mode of their own', () => {
  const { scene, alice } = bothOpen();
  const hedge = (payoff: 'linear' | 'practice', account = alice): string =>
    said(scene.give({ type: 'SetPositionMode', account, payoff, mode: 'hedge' }));
  expect([hedge('linear'), hedge('practice')]).toEqual(['PositionOpen', 'PositionOpen']);
  const bob = scene.person('bob', usdc(1_000));
  scene.stock(bob, 1_000);
  expect(hedge('practice', bob)).toBe('PositionModeSet');
  expect(said(scene.give(scene.orderIn(PLAY, bob, 'buy', 1_000, 600_000)))).toBe('PositionSideMismatch positionSide');
  expect(said(scene.give(scene.orderIn(REAL, bob, 'buy', 1_000, 600_000)))).toBe('OrderAccepted, OrderRested');
});

test('R1: what rules 7 keep of practice is in the snapshot, and the present state as facts names it', () => {
  const { scene, alice } = bothOpen();
  const bob = scene.person('bob', usdc(0));
  scene.must({ type: 'GrantPractice', account: bob, day: millis(11 * DAY_MS) });
  scene.must({ type: 'SetPositionMode', account: bob, payoff: 'practice', mode: 'hedge' });
  const bytes = scene.engine.encodeState();
  const restored = decodeState(bytes);
  expect(restored.encodeState()).toEqual(bytes);
  const again = restored.apply({
    seq: seq(1_000),
    at: millis(12 * DAY_MS),
    command: { type: 'GrantPractice', account: bob, day: millis(11 * DAY_MS) },
  });
  expect(said(again)).toBe('CommandRepeated');
  const fall = (engine: typeof restored): string =>
    said(
      engine.apply({
        seq: seq(1_001),
        at: millis(12 * DAY_MS),
        command: { type: 'CloseAllPositions', account: alice, payoff: 'any', mode: 'market', key: 'k' },
      }),
    );
  expect(fall(restored)).toBe(fall(scene.engine));
  const facts = scene.engine.facts();
  const named = facts.findIndex(({ type }) => type === 'PracticeAssetSet');
  const listed = facts.findIndex((fact) => fact.type === 'ContractRegistered' && fact.market === marketId(4));
  expect(named).toBeGreaterThan(0);
  expect(listed).toBeGreaterThan(named);
  expect(facts).toContainEqual({ type: 'PositionModeSet', account: bob, payoff: 'practice', mode: 'hedge' });
});
