/**
 * Withdrawals of the whole program, killed with kill -9 on each arrow of their way: requested, held, logged, sent, mined, settled; and refused,
 * refunded; and cancelled by its owner while it waits for a review. ORRERY_KILLS is the number of kills on each arrow, ORRERY_SEED what their moments follow from.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { NATIVE_TOKEN } from '@orrery/contracts';
import type { Withdrawal } from '@orrery/api';
import { createPublicClient, http, parseUnits, toHex, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { Chance } from '../../core/engine/src/testing/chance.ts';
import { claimTokens, signIn, withdraw, type Person } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { tokenBalance } from './token-balance.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const KILLS = Number(process.env['ORRERY_KILLS'] ?? 1);
const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const COIN = 'USDC';
const DECIMALS = 6;
const AMOUNT = '1';
/** An account makes no more in an hour. */
const WITHDRAWALS_EACH = 3;
/** What an account takes out in a day without a review. */
const UNREVIEWED_AMOUNT = '3';
/** Worth more than that: it waits for an operator, until its owner cancels it. */
const REVIEWED_AMOUNT = '4';
const LOOK_MS = 5;
/** For one kill on each arrow. */
const TIMEOUT_MS = 600_000;

interface Arrow {
  readonly name: string;
  /** What the vault refuses at any time is refunded; the rest is paid. */
  readonly isRefused?: true;
  /** It waits for a review, and its owner cancels it. */
  readonly isCancelled?: true;
  /** What is waited for before the kill; undefined: not even the answer. */
  readonly after?: (ask: () => Promise<Withdrawal | undefined>) => Promise<boolean>;
  /** The kill comes within this time, in milliseconds, after it. */
  readonly withinMs: number;
}

const inState =
  (...states: readonly Withdrawal['state'][]): NonNullable<Arrow['after']> =>
  async (ask) => {
    const state = (await ask())?.state;
    return state !== undefined && states.includes(state);
  };

async function isMined(ask: () => Promise<Withdrawal | undefined>): Promise<boolean> {
  const hash = (await ask())?.txHash;
  if (hash === undefined || hash === null) return false;
  const client = createPublicClient({ transport: http(`${program.url}/rpc`) });
  return client.getTransactionReceipt({ hash: hash as Hex }).then(
    () => true,
    () => false,
  );
}

const ARROWS: readonly Arrow[] = [
  { name: 'requested', withinMs: 40 },
  { name: 'held', after: inState('HELD', 'SENT', 'POSTED'), withinMs: 20 },
  { name: 'logged', after: inState('HELD', 'SENT', 'POSTED'), withinMs: 250 },
  { name: 'sent', after: inState('SENT', 'POSTED'), withinMs: 30 },
  { name: 'mined', after: isMined, withinMs: 1_500 },
  { name: 'settled', after: inState('POSTED'), withinMs: 30 },
  { name: 'refused', isRefused: true, after: inState('HELD', 'REFUNDED'), withinMs: 150 },
  { name: 'cancelled', isCancelled: true, withinMs: 250 },
  { name: 'refunded', isRefused: true, after: inState('REFUNDED'), withinMs: 30 },
];

withProgram({
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_ADDRESS_WAIT_SECONDS: '0',
    ORRERY_DISPUTE_SECONDS: '1',
    ORRERY_WITHDRAWAL_REVIEW_ABOVE: UNREVIEWED_AMOUNT,
    ORRERY_MARKET_MAKER: 'off',
  },
});

interface Drawer {
  readonly person: Person;
  readonly funded: bigint;
  /** What was asked, and whether it was answered before the kill. */
  readonly asked: { readonly withdrawalId: Hex; readonly arrow: Arrow; readonly isAnswered: boolean }[];
}

async function newDrawer(number: number): Promise<Drawer> {
  const { url } = program;
  const person = await signIn(url, { from: `10.7.${Math.floor(number / 250)}.${(number % 250) + 1}` });
  const funded = (await claimTokens(url, person)).find(({ coin }) => coin === COIN);
  await person.client.addWithdrawAddress({ address: NATIVE_TOKEN.toLowerCase(), label: 'what the vault refuses' });
  return { person, funded: parseUnits(funded?.amount ?? '0', DECIMALS), asked: [] };
}

const withdrawalsOf = async ({ client }: Person): Promise<readonly Withdrawal[]> =>
  (await client.withdrawals({ page: 1, pageSize: 50 })).list;

/** Whether a call was answered, and not refused. */
const isTrue = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

async function withdrawAndKill({ person, asked }: Drawer, arrow: Arrow, chance: Chance): Promise<void> {
  const withdrawalId = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const to = arrow.isRefused ? NATIVE_TOKEN : person.wallet.address;
  // The views may still be behind the start: until then no quota is given.
  await until('the quota is known', () => isTrue(person.client.withdrawalQuota({})));
  const amount = arrow.isCancelled ? REVIEWED_AMOUNT : AMOUNT;
  const call = withdraw(program.url, person, { coin: COIN, amount, to, withdrawalId });
  const answer = isTrue(call);
  const { after } = arrow;
  if (after !== undefined) {
    await call;
    const ask = async () => (await withdrawalsOf(person)).find((one) => one.withdrawalId === withdrawalId);
    while (!(await after(ask))) await pause(LOOK_MS);
  }
  const cancelling = arrow.isCancelled && (await cancelled(person, withdrawalId, call));
  await pause(chance.below(arrow.withinMs + 1));
  await program.kill();
  if (cancelling) await cancelling.answer;
  asked.push({ withdrawalId, arrow, isAnswered: await answer });
}

/** Answers once it is asked for. */
async function cancelled({ client }: Person, withdrawalId: Hex, call: Promise<unknown>): Promise<{ readonly answer: Promise<boolean> }> {
  await call;
  await until('it waits', async () =>
    (await client.withdrawalReviews()).some((one) => one.withdrawalId === withdrawalId && one.state === 'WAITING'),
  );
  return { answer: isTrue(client.cancelWithdrawal({ withdrawalId })) };
}

test(
  `D4: kill -9 on each arrow of a withdrawal: paid once or refunded once, never both (${KILLS} kills each, seed ${SEED})`,
  async () => {
    const { url } = program;
    const chance = new Chance(SEED);
    const drawers: Drawer[] = [];
    const arrows = Array.from({ length: KILLS }, () => ARROWS).flat();
    for (const [index, arrow] of arrows.entries()) {
      if (index % WITHDRAWALS_EACH === 0) drawers.push(await newDrawer(drawers.length));
      const drawer = drawers.at(-1)!;
      await withdrawAndKill(drawer, arrow, chance);
      await startAgain();
      await drawer.person.refresh();
      // Nobody knows whether the first cancel came through: asked for again, it changes nothing more.
      if (arrow.isCancelled) await drawer.person.client.cancelWithdrawal({ withdrawalId: drawer.asked.at(-1)!.withdrawalId });
    }
    for (const { person, funded, asked } of drawers) {
      await person.refresh();
      const ended = await until('every withdrawal has ended', async () => {
        const all = await withdrawalsOf(person);
        return all.every(({ state }) => state === 'POSTED' || state === 'REFUNDED') ? all : undefined;
      });
      for (const { withdrawalId, arrow, isAnswered } of asked) {
        const found = ended.filter((one) => one.withdrawalId === withdrawalId);
        const place = `${arrow.name}, seed ${SEED}`;
        // A request without an answer may have come too late.
        expect(found.length, place).toBe(isAnswered ? 1 : Math.min(found.length, 1));
        for (const { state } of found) expect(state, place).toBe(arrow.isRefused || arrow.isCancelled ? 'REFUNDED' : 'POSTED');
      }
      const paid = BigInt(ended.filter(({ state }) => state === 'POSTED').length) * parseUnits(AMOUNT, DECIMALS);
      expect(await tokenBalance(url, { coin: COIN, owner: person.wallet.address })).toBe(paid);
      const [balance] = await person.client.balances({ account: 'funding', coin: COIN });
      expect(parseUnits(balance?.availableBalance ?? '', DECIMALS)).toBe(funded - paid);
      expect(balance?.freeze).toBe('0');
    }
  },
  TIMEOUT_MS * KILLS,
);
