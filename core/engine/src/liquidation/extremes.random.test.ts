import { expect, test } from 'vitest';
import { atoms, marketId } from '@orrery/units';
import { assertSound } from '../testing/assert-sound.ts';
import { Chance } from '../testing/chance.ts';
import { BTC, USDC, usdc } from '../testing/contract-scene.ts';
import { ContractsScene, inverseContract, linearContract } from '../testing/contracts-scene.ts';

const SCENES = Number(process.env['ORRERY_EXTREME_SCENES'] ?? 6);
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const START = 600_000;

/** Five linear contracts and an inverse one, everybody at the highest leverage, no price for a while, and then prices between a hundredth and a hundred times. */
test('P6, R11: no round of prices throws, however far prices are from those before', { timeout: 600_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  let closed = 0;
  for (let index = 0; index < SCENES; index += 1) {
    try {
      closed += playScene(new Chance((seed + index) | 0));
    } catch (error) {
      throw new Error(`scene seed ${seed + index}`, { cause: error });
    }
  }
  expect(closed).toBeGreaterThan(0);
});

function playScene(chance: Chance): number {
  const scene = new ContractsScene([...[2, 4, 6, 8, 10].map((market) => linearContract(market, `C${market}`)), inverseContract(12)]);
  if (chance.below(3) > 0) scene.liquidator();
  if (chance.below(3) > 0) for (const asset of [USDC, BTC]) scene.insurance(atoms(1n + BigInt(chance.below(2_000_000_000))), asset);
  const people = Array.from({ length: 5 }, () => {
    const person = scene.person(usdc(1_000 + chance.below(20_000)));
    scene.deposit(person, atoms(1_000_000n + BigInt(chance.below(100_000_000))), BTC, 'coinFutures');
    if (chance.below(3) === 0)
      for (const { market } of scene.contracts) scene.must({ type: 'SetMarginMode', account: person, market, mode: 'isolated' });
    return person;
  });
  scene.all(START, 4);
  for (const person of people) for (const { market } of scene.contracts) scene.leverage(person, 40, market);
  let closed = 0;
  for (let crash = 0; crash < 3; crash += 1) {
    for (const { market, payoff } of scene.contracts)
      for (let count = 0; count < 4; count += 1) {
        const [one, other] = [chance.pick(people), chance.pick(people)];
        const size = 1 + chance.below(payoff === 'inverse' ? 30_000 : 100_000);
        const { mark } = scene.snapshot().contracts.find(({ terms }) => terms.market === market)!.prices;
        scene.give(scene.order(one, 'sell', size, mark, { market }));
        scene.give(scene.order(other, 'buy', size, mark, { market }));
      }
    scene.at += 360_000;
    const by = Object.fromEntries(scene.contracts.map(({ market }) => [market, priceOf(chance)]));
    for (let round = 0; round < 5; round += 1) {
      // Some contracts hear of one source only.
      if (chance.below(4) === 0) scene.round(chance.pick(scene.contracts).market, START, 1);
      closed += scene.prices(by).filter(({ type }) => type === 'LiquidationStep').length;
    }
    if (chance.below(3) === 0) scene.give({ type: 'SetMarketState', market: marketId(4), state: 'TRADING' });
    assertSound(scene.snapshot());
  }
  scene.replay();
  return closed;
}

function priceOf(chance: Chance): number {
  const scale = chance.pick([0.01, 0.1, 0.5, 0.8, 0.95, 1.05, 1.3, 2, 10, 100]);
  return Math.max(1, Math.floor(START * scale) + chance.below(1_000));
}
