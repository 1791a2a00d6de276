/**
 * The wall clock jumps ahead over a window and comes back: nothing that was refused is let through by it, neither while it is ahead nor afterwards, and
 * once the window has passed nothing is refused any more. Which clock each length of time goes by is in `tools/house/windows.txt`.
 */
import { ERASURE_STATEMENT, withdrawStatement } from '@orrery/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { solved } from '../../services/accounts/src/testing/solve.ts';
import {
  ADDRESS_WAIT_MS,
  Browser,
  messageOf,
  openTown,
  ORIGIN,
  person,
  refusalOf,
  type Town,
  WITHDRAWAL_HOLD_MS,
} from '../../services/accounts/src/testing/town.ts';
import { DayCounts } from '../../services/gateway/src/limits/day-counts.ts';
import { Buckets } from '../../services/gateway/src/limits/rates.ts';
import { SharedCounts } from '../../services/gateway/src/limits/shared-counts.ts';
import { inAnOffice } from '../../services/operators/src/testing/in-an-office.ts';
import { type Desk, people, type Office, refusalOf as refusalAtDesk } from '../../services/operators/src/testing/office.ts';
import { JumpingClock } from '../../services/sequencer/src/testing/jumping-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** An hour after midnight, so that a day is not over by what a test does. */
const START = Math.floor(1_795_000_000_000 / DAY) * DAY + HOUR;

interface Window {
  readonly lasts: number;
  /** Brings it to where `isRefused` is true. */
  readonly fill: () => Promise<void>;
  readonly isRefused: () => Promise<boolean>;
}

/** What runs by itself as time goes by, such as the clearing of rows that no longer count. */
type Sweep = () => Promise<void>;

async function withstandsAJump({ lasts, fill, isRefused }: Window, clock: JumpingClock, sweep: Sweep): Promise<void> {
  await fill();
  expect(await isRefused()).toBe(true);
  clock.jump(lasts + MINUTE);
  await sweep();
  expect(await isRefused(), 'while the clock is ahead').toBe(true);
  clock.jump(-lasts - MINUTE);
  await sweep();
  expect(await isRefused(), 'after it came back').toBe(true);
  clock.pass(lasts + MINUTE);
  await sweep();
  expect(await isRefused(), 'once the time has passed').toBe(false);
}

describe('[A3] people', () => {
  let town: Town;
  let clock: JumpingClock;
  let key = 0xc10c00;
  let alice = person(key);
  let browser: Browser;
  beforeAll(async () => {
    town = await openTown();
  });
  afterAll(() => town.close());
  beforeEach(async () => {
    clock = new JumpingClock(Math.max(START, town.clock.now) + DAY);
    Object.defineProperties(town.clock, {
      now: { get: clock.nowMs, configurable: true },
      passed: { get: clock.monotonicMs, configurable: true },
      wall: { get: clock.wallMs, configurable: true },
    });
    alice = person((key += 1));
    browser = new Browser(town);
    await browser.login(alice);
  });

  const calls = () => town.accounts.handlers;
  const refusalOfCall = async (call: () => Promise<unknown>) => (await refusalOf(call())) !== undefined;
  const again = async (): Promise<void> => {
    if (town.accounts.authenticator.session(browser.bearer ?? '') === 'SessionExpired') await browser.login(alice);
  };
  let withdrawals = 0;
  async function withdrawTo(to: string): Promise<string | undefined> {
    await again();
    const wish = { amount: '1', coin: 'USDC', to, withdrawalId: `0x${(withdrawals += 1).toString(16).padStart(64, '0')}` };
    const nonce = await browser.nonce(alice, 'withdraw');
    const statement = withdrawStatement(wish);
    const issuedAt = new Date(clock.nowMs());
    const message = messageOf({ address: alice.wallet.address, nonce, statement, issuedAt, requestId: wish.withdrawalId });
    const request = { ...wish, nonce, message, signature: await alice.wallet.signMessage({ message }) };
    return refusalOf(town.accounts.authenticator.checkWithdrawal({ principal: browser.principal(), origin: ORIGIN, request }));
  }
  const elsewhere = `0x${'ab'.repeat(20)}`;
  const judge = async () => {
    await again();
    await browser.call(calls().identity.nameJudge, { body: { realName: 'Alice Example' } });
  };
  let answer = '';
  const sendCode = async (captcha: string) =>
    browser.call(calls().name.sendCode, { body: { purpose: 'register', username: `alice-${key}@example.org`, captcha } });
  const newCaptcha = async () => solved(await browser.call(calls().captcha.captchaInit, { query: { action: 'code' } }));

  const WINDOWS: Readonly<Record<string, Window>> = {
    'the wait of a new address of the address book': {
      lasts: ADDRESS_WAIT_MS,
      fill: async () => void (await browser.call(calls().addressBook.addWithdrawAddress, { body: { address: elsewhere, label: 'cold' } })),
      isRefused: async () => (await withdrawTo(elsewhere)) === 'AddressWaits to',
    },
    'the hold of withdrawals after a change of security': {
      lasts: WITHDRAWAL_HOLD_MS,
      fill: () =>
        town.db.sql
          .transaction()
          .execute(async (tx) => {
            const until = clock.nowMs() + WITHDRAWAL_HOLD_MS;
            await tx.insertInto('accounts_hold').values({ account: browser.principal().account, until }).execute();
          })
          .then(() => town.reopen()),
      isRefused: async () => (await withdrawTo(alice.wallet.address))?.startsWith('WithdrawalsHeld') === true,
    },
    'tries of an identity in a day': {
      lasts: DAY,
      fill: async () => {
        for (let tried = 0; tried < 5; tried += 1) await judge();
      },
      isRefused: () => refusalOfCall(judge),
    },
    'one code a minute to a name': {
      lasts: MINUTE,
      fill: async () => void (await sendCode(await newCaptcha())),
      isRefused: async () => (await refusalOf(sendCode(await newCaptcha()))) === 'TooManyRequests',
    },
  };

  test.each(Object.entries(WINDOWS))('%s', async (_, window) => {
    await withstandsAJump(window, clock, () => town.accounts.sweep());
  });

  test('an answer to the captcha is used once, whatever the clock does', async () => {
    answer = await newCaptcha();
    await sendCode(answer);
    expect(await refusalOf(sendCode(answer))).toBe('InvalidCaptcha captcha');
    clock.jump(DAY);
    await town.accounts.sweep();
    clock.jump(-DAY);
    expect(await refusalOf(sendCode(answer))).toBe('InvalidCaptcha captcha');
  });

  test('a session ends by it and stays ended; an account that waits to be deleted is not deleted', async () => {
    town.accounts.erasures.begin([]);
    const { account } = browser.principal();
    await browser.call(calls().erasure.eraseAccount, {
      body: await browser.signStatement(alice, { purpose: 'erasure', statement: ERASURE_STATEMENT }),
    });
    clock.jump(400 * DAY);
    await town.accounts.sweep();
    expect(town.accounts.authenticator.session(browser.bearer ?? '')).toBe('SessionExpired');
    clock.jump(-400 * DAY);
    await town.accounts.sweep();
    expect(town.accounts.authenticator.session(browser.bearer ?? '')).toBe('SessionExpired');
    await browser.login(alice);
    expect(browser.principal().account).toBe(account);
  });
});

describe('[A10] operators', () => {
  let office: Office;
  let clock: JumpingClock;
  let alice: Desk;
  let bob: Desk;
  inAnOffice(
    async (opened) => {
      office = opened;
      ({ alice, bob } = await people(office));
      clock = new JumpingClock(office.clock.now);
      Object.defineProperties(office.clock, {
        now: { get: clock.nowMs, configurable: true },
        wall: { get: clock.wallMs, configurable: true },
      });
    },
    { timelockMs: DAY },
  );

  test('an approved change waits for its timelock, and takes effect after it', async () => {
    const { rewardDesk, operator } = office.operators.handlers;
    const proposal = await bob.call(rewardDesk.proposeAward, {
      body: { address: `0x${'ca'.repeat(20)}`, points: 5, reason: 'a bug found' },
    });
    await alice.call(operator.approveProposal, { body: proposal });
    const window: Window = {
      lasts: DAY,
      fill: () => Promise.resolve(),
      isRefused: () => Promise.resolve(office.campaign.given.length === 0),
    };
    await withstandsAJump(window, clock, () => office.operators.runDue());
  });

  test('a session ends by it and stays ended; another one, begun meanwhile, is no longer than any', async () => {
    const me = () => refusalAtDesk(alice.call(office.operators.handlers.operator.operatorMe));
    // As after a machine slept: the monotonic clock stood still.
    clock.jump(20 * MINUTE);
    expect(await me()).toBe('SessionExpired');
    clock.jump(-20 * MINUTE);
    expect(await me()).toBe('SessionExpired');
    clock.jump(DAY);
    await alice.signIn();
    expect(await me()).toBeUndefined();
    clock.jump(-DAY);
    expect(await me()).toBeUndefined();
    clock.pass(15 * MINUTE);
    expect(await me()).toBe('SessionExpired');
  });

  test('five persons a minute are unmasked', async () => {
    office.identities.handedIn.push({ masked: { account: 7, handedInTime: 5 }, full: { realName: 'C', documentNumber: '1' } } as never);
    const view = () => bob.call(office.operators.handlers.identityDesk.viewIdentity, { body: { account: 7, reasonCode: 'REVIEW' } });
    const window: Window = {
      lasts: MINUTE,
      fill: async () => {
        for (let seen = 0; seen < 5; seen += 1) await view();
      },
      isRefused: async () => (await refusalAtDesk(view())) === 'TooManyRequests',
    };
    await withstandsAJump(window, clock, () => office.operators.runDue());
  });
});

describe('[A3] calls that are counted', () => {
  let clock: JumpingClock;
  beforeEach(() => {
    clock = new JumpingClock(START);
  });

  test('orders of a day, in memory', async () => {
    const counts = new SharedCounts({ store: 'memory', key: Buffer.alloc(32, 7), now: clock.nowMs });
    const days = new DayCounts(counts, clock.nowMs);
    const take = async () => days.take('order day', 7, 100, 50);
    const window: Window = {
      lasts: DAY,
      fill: async () => {
        await take();
        await take();
      },
      isRefused: async () => (await refusalOf(take())) === 'TooManyRequests',
    };
    await withstandsAJump(window, clock, () => days.flush());
    await days.close();
    counts.close();
  });

  test('ten calls of testers a minute', async () => {
    const buckets = new Buckets(clock.monotonicMs);
    const take = async () => buckets.take('sandbox', 7, { count: 10, perMs: MINUTE, burst: 10, by: 'account' });
    const window: Window = {
      lasts: MINUTE,
      fill: async () => {
        for (let call = 0; call < 10; call += 1) await take();
      },
      isRefused: async () => (await refusalOf(take())) === 'TooManyRequests',
    };
    await withstandsAJump(window, clock, () => Promise.resolve());
  });
});
