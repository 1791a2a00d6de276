import { expect, test } from 'vitest';
import { assert, atoms, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { Contract, Wallet } from '@orrery/protocol';
import { assertSound } from '../testing/assert-sound.ts';
import { Chance } from '../testing/chance.ts';
import { BTC, USDC, usdc } from '../testing/contract-scene.ts';
import { ContractsScene, inverseContract, linearContract } from '../testing/contracts-scene.ts';
import { naiveDeficit } from '../testing/naive-deficit.ts';

const SCENES = Number(process.env['ORRERY_DEFICIT_SCENES'] ?? 40);
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const START = 600_000;

/**
 * One account holds positions in up to five contracts against a crowd that came in at different prices; then no price comes for six minutes, and the market is
 * elsewhere. Without a fund the crowd pays what is missing, and each pays what a second reckoning says.
 */
test('P6, P7: who pays a deficit, and how much, is what a naive water-filling says', { timeout: 600_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = { shared: 0, uncovered: 0, inverse: 0 };
  for (let index = 0; index < SCENES; index += 1) {
    try {
      playScene((seed + index) | 0, seen);
    } catch (error) {
      throw new Error(`scene seed ${seed + index}`, { cause: error });
    }
  }
  console.log(seen);
  expect(seen.shared > 0 && (SCENES < 200 || (seen.uncovered > 0 && seen.inverse > 0))).toBe(true);
});

interface Crowd {
  readonly scene: ContractsScene;
  readonly chance: Chance;
  readonly bankrupt: AccountId;
  readonly isLong: boolean;
}

function playScene(sceneSeed: number, seen: { shared: number; uncovered: number; inverse: number }): void {
  const chance = new Chance(sceneSeed);
  const isInverse = chance.below(4) === 0;
  const contracts: readonly Contract[] = isInverse
    ? [inverseContract(2)]
    : Array.from({ length: 1 + chance.below(5) }, (_, index) => linearContract(2 + 2 * index, `C${index}`));
  const scene = new ContractsScene(contracts);
  const wealth: readonly [Atoms, AssetId, Wallet] = isInverse
    ? [atoms(100_000_000_000n), BTC, 'coinFutures']
    : [usdc(100_000_000), USDC, 'futures'];
  const stake = isInverse ? atoms(1_000_000n + BigInt(chance.below(5_000_000))) : usdc(2_000 * contracts.length + chance.below(3_000));
  const bankrupt = scene.person(stake, wealth[1], wealth[2]);
  const people = Array.from({ length: 2 + chance.below(5) }, () => scene.person(...wealth));
  scene.all(START, 4);
  fill({ scene, chance, bankrupt, isLong: chance.below(2) === 0 }, people);
  const before = scene.snapshot();
  // Its orders may all have been more than it could bear.
  if (!before.positions.some(({ account, size }) => account === bankrupt && size !== 0)) return;
  scene.at += 360_000;
  const isLong = (before.positions.find(({ account, size }) => account === bankrupt && size !== 0)?.size ?? 0) > 0;
  const target = isLong ? START - 20_000 - chance.below(350_000) : START + 20_000 + chance.below(900_000);
  const events = scene.all(target, 3);
  const steps = events.filter((event) => event.type === 'LiquidationStep');
  const marks = new Map<number, number>();
  for (const event of events) if (event.type === 'PricesSet') marks.set(event.market, event.mark);
  const expected = naiveDeficit(before, marks, bankrupt);
  const paid = events
    .filter((event) => event.type === 'DeficitShared')
    .map(({ account, market, gain, paid: part }) => ({ account, market, gain, paid: part }));
  const inOrder = (left: { market: number; account: number }, right: { market: number; account: number }): number =>
    left.market - right.market || left.account - right.account;
  expect(paid.sort(inOrder)).toEqual(expected.payments.filter((one) => one.paid > 0n).sort(inOrder));
  assert(
    -scene.system('UNCOVERED', contracts[0]!.settle) === expected.uncovered,
    `${expected.uncovered} of ${expected.missing} is uncovered`,
  );
  if (expected.missing > 0n) {
    seen.shared += 1;
    if (expected.uncovered > 0n) seen.uncovered += 1;
    if (isInverse) seen.inverse += 1;
    // P7: all that was bankrupt is closed, and the account has nothing left.
    for (const { market, size } of before.positions.filter(({ account, size: held }) => account === bankrupt && held !== 0)) {
      const closed = events.filter((event) => event.type === 'PositionDeleveraged').filter((event) => event.market === market);
      expect(closed.reduce((sum, event) => sum + event.size, 0)).toBe(Math.abs(size));
      expect(closed.every(({ price }) => price === marks.get(market))).toBe(true);
    }
    expect(steps.every(({ stage }) => stage === 'adl')).toBe(true);
    expect(scene.wallet(bankrupt, wealth[1], wealth[2])).toBe(0n);
  }
  assertSound(scene.snapshot());
  scene.replay();
}

/** The crowd trades with the account at the start and among itself at other prices, so that their gains differ. */
function fill({ scene, chance, bankrupt, isLong }: Crowd, people: readonly AccountId[]): void {
  const inverse = scene.contracts[0]?.payoff === 'inverse';
  for (const { market } of scene.contracts) scene.leverage(bankrupt, 40, market);
  for (const { market } of scene.contracts) {
    for (const other of people) {
      if (chance.below(3) === 0) continue;
      const size = 1 + chance.below(inverse ? 12_000 : 40_000);
      const order = isLong ? scene.order(other, 'sell', size, START, { market }) : scene.order(bankrupt, 'sell', size, START, { market });
      const answer = isLong ? scene.order(bankrupt, 'buy', size, START, { market }) : scene.order(other, 'buy', size, START, { market });
      scene.give(order);
      scene.give(answer);
      scene.give({ type: 'CancelAllOrders', account: isLong ? other : bankrupt, market });
    }
    for (let count = chance.below(4); count > 0; count -= 1) {
      const [buyer, seller] = [chance.pick(people), chance.pick(people)];
      if (buyer === seller) continue;
      scene.trade(buyer, seller, 1 + chance.below(inverse ? 6_000 : 20_000), START - 20_000 + chance.below(40_000), { market });
    }
  }
}
