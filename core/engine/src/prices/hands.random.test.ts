/**
 * Accounts of one hand play against each other through restarts, outages and halts, and take out what they can. While the contract is not open no position grows and no
 * money leaves, so the winners are there when the losers are liquidated. The fund is empty: what is UNCOVERED then no gain of that moment could pay.
 */
import { expect, test } from 'vitest';
import { decodeState } from '../engine.ts';
import { accountId, atoms, millis, seq, type AccountId } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Chance } from '../testing/chance.ts';
import { ContractScene, USDC, usdc } from '../testing/contract-scene.ts';
import { isOpen } from '../testing/naive-margin.ts';

const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const SCENES = Number(process.env['ORRERY_HANDS'] ?? 60);

/** What was uncovered of each scene when it was looked at last. */
const lastOwed = new WeakMap<ContractScene, bigint>();

interface Hand {
  readonly chance: Chance;
  readonly scene: ContractScene;
  readonly accounts: readonly AccountId[];
  price: number;
}

test(
  'P6, X4: through outages, restarts and halts a hand opens nothing and takes nothing out before it can be liquidated',
  { timeout: 300_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    let refused = 0;
    let gaps = 0;
    for (let index = 0; index < SCENES; index += 1) {
      try {
        const seen = play((seed + index) | 0);
        refused += seen.refused;
        gaps += seen.gaps;
      } catch (error) {
        throw new Error(`scene seed ${seed + index}`, { cause: error });
      }
    }
    // It has tried while the contract was not open.
    expect(Math.min(refused, gaps)).toBeGreaterThan(0);
  },
);

function play(sceneSeed: number): { refused: number; gaps: number } {
  const chance = new Chance(sceneSeed);
  const scene = new ContractScene();
  scene.must({ type: 'SetLiquidator', account: scene.person('liquidator', usdc(0)) });
  const accounts = ['one', 'two', 'three'].map((name) => scene.person(name, usdc(1_600 + chance.below(8_000))));
  const hand: Hand = { chance, scene, accounts, price: 600_000 };
  for (let round = 0; round < 3; round += 1) scene.prices(hand.price);
  for (const account of accounts)
    scene.give({ type: 'SetLeverage', account, market: scene.market, positionSide: 'both', leverage: chance.pick([10, 20, 40]) });
  const brought = moneyOf(hand);
  let refused = 0;
  let gaps = 0;
  for (let step = 0; step < 60; step += 1) {
    const kind = chance.below(12);
    if (kind === 0) gaps += Number(interrupt(hand));
    else if (kind < 4) round(hand);
    else refused += tryClosed(hand);
    checkUncovered(hand);
  }
  for (let count = 0; count < 6; count += 1) scene.prices(hand.price);
  checkUncovered(hand);
  const owed = scene.system('UNCOVERED');
  expect(moneyOf(hand) <= brought - owed, `the hand brought ${brought} and has ${moneyOf(hand)}, ${owed} is uncovered`).toBe(true);
  return { refused, gaps };
}

/** A start, six minutes without prices, or a halt; outside the price has moved by up to a tenth meanwhile. */
function interrupt(hand: Hand): boolean {
  const { chance, scene } = hand;
  const kind = chance.below(3);
  if (kind === 0) scene.must({ type: 'ResetPrices' });
  else if (kind === 1) scene.wait(360);
  else {
    scene.must({ type: 'SetMarketState', market: scene.market, state: 'HALT' });
    scene.must({ type: 'SetMarketState', market: scene.market, state: 'TRADING' });
  }
  hand.price = Math.floor((hand.price * (900 + chance.below(201))) / 1_000);
  return true;
}

function round(hand: Hand): void {
  const { chance, scene } = hand;
  hand.price = Math.floor((hand.price * (995 + chance.below(11))) / 1_000);
  scene.prices(hand.price);
}

/** A trade between two of them around the price outside, or all that one of them can take out. */
function tries({ chance, scene, accounts, price }: Hand): readonly Command[] {
  const one = chance.pick(accounts);
  if (chance.below(4) === 0) return [scene.transfer(one, 'out', mostOf(scene, one))];
  const others = accounts.filter((account) => account !== one);
  const size = 1_000 * (1 + chance.below(120));
  const at = Math.floor((price * (998 + chance.below(5))) / 1_000);
  const [first, second] = [scene.order(one, 'sell', size, at), scene.order(chance.pick(others), 'buy', size, at)];
  const reduces = { ...second, contract: { ...second.contract, reduceOnly: true } };
  return [first, chance.below(3) === 0 ? reduces : second];
}

/** @returns how many commands were refused for want of prices */
function tryClosed(hand: Hand): number {
  const { scene } = hand;
  let refused = 0;
  for (const command of tries(hand)) {
    const before = decodeSnapshot(scene.engine.encodeState());
    refused += Number(isClosed(scene, command));
    if (isOpen(before, scene.market, scene.at)) continue;
    const after = decodeSnapshot(scene.engine.encodeState());
    for (const account of hand.accounts) {
      expect(Math.abs(sizeOf(after, account)) <= Math.abs(sizeOf(before, account)), 'X4: no position grows').toBe(true);
      if (sizeOf(before, account) !== 0) expect(outsideOf(after, account), 'X4: no money leaves').toBe(outsideOf(before, account));
    }
  }
  return refused;
}

/** P6: nothing is uncovered while anybody gains; a payment rounds by an atom for each position. */
function checkUncovered({ scene, accounts }: Hand): void {
  const owed = scene.system('UNCOVERED');
  if (owed === lastOwed.get(scene)) return;
  lastOwed.set(scene, owed);
  const snapshot = decodeSnapshot(scene.engine.encodeState());
  const mark = BigInt(snapshot.contracts[0]?.prices.mark ?? 0);
  for (const { account, size, cost } of snapshot.positions.filter((one) => accounts.includes(one.account))) {
    const gain = mark * BigInt(size) - (size > 0 ? cost : 0n - cost);
    expect(owed === 0n || gain <= 1n, `account ${account} gains ${gain} while ${owed} is uncovered`).toBe(true);
  }
}
const sizeOf = ({ positions }: Snapshot, account: AccountId): number => positions.find((one) => one.account === account)?.size ?? 0;

const outsideOf = ({ balances }: Snapshot, account: AccountId): bigint =>
  balances.filter((one) => one.account === account && one.wallet !== 'futures').reduce((sum, { free, held }) => sum + free + held, 0n);

const isClosed = (scene: ContractScene, command: Command): boolean => {
  const [event] = scene.give(command);
  return event?.type === 'CommandRejected' && (event.reason === 'PricesDegraded' || event.reason === 'PricesUnreliable');
};

/** The most that a transfer takes out, found on copies; 1 where nothing leaves. */
function mostOf(scene: ContractScene, account: AccountId): ReturnType<typeof atoms> {
  const bytes = scene.engine.encodeState();
  let low = 1n;
  let high = scene.wallet(account);
  while (low < high) {
    const amount = (low + high + 1n) / 2n;
    const [event] = decodeState(bytes).apply({ seq: seq(1), at: millis(scene.at), command: scene.transfer(account, 'out', atoms(amount)) });
    if (event?.type === 'CommandRejected') high = amount - 1n;
    else low = amount;
  }
  return atoms(low);
}

/** In every wallet, and what the open positions are worth at the mark. */
function moneyOf({ scene, accounts }: Hand): bigint {
  const { balances, positions, contracts } = decodeSnapshot(scene.engine.encodeState());
  const mark = BigInt(contracts[0]?.prices.mark ?? 0);
  const held = balances.filter(({ account, asset }) => asset === USDC && accounts.includes(accountId(account)));
  const own = positions.filter(({ account }) => accounts.includes(accountId(account)));
  const money = held.reduce((sum, { free, held: reserved }) => sum + free + reserved, 0n);
  return own.reduce((sum, { size, cost }) => sum + mark * BigInt(size) - (size > 0 ? cost : 0n - cost), money);
}
