import { describe, expect, test } from 'vitest';
import { accountId, addAtoms, assetId, atoms, millis, NO_ATOMS, parseAddress, seq, type AccountId, type Address } from '@orrery/units';
import type { Command, Event, QuotaTerms } from '@orrery/protocol';
import { LATEST_RULES, QUOTA_DAY_MS, QUOTA_USES_MAX } from '@orrery/rules';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { Chance } from '../testing/chance.ts';

const START = 1_000_000;
const USDC = assetId(1);
const [ALICE, BOB] = [accountId(1), accountId(2)] as const;
const addressOf = (number: number): Address => parseAddress(`0x${number.toString(16).padStart(40, '0')}`) as Address;
const idOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const QUOTA = 1_000;

type Ask = {
  readonly worth: number;
  readonly limit?: number;
  readonly account?: AccountId;
  readonly id?: number;
  readonly internally?: boolean;
};

/** Alice and Bob, who have more money than any quota. */
class Bank {
  engine: Engine = createEngine();
  at = START;
  #seq = 0;
  #ids = 0;

  constructor(rules: number = LATEST_RULES) {
    this.give({ type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' });
    for (const account of [ALICE, BOB]) {
      this.give({ type: 'OpenAccount', address: addressOf(account) });
      this.give({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
      this.give({ type: 'CreditDeposit', key: `k${account}`, address: addressOf(account), asset: USDC, amount: atoms(10n ** 15n) });
    }
    this.give({ type: 'UpgradeRules', version: rules });
  }

  give(command: Command): readonly Event[] {
    this.#seq += 1;
    return this.engine.apply({ seq: seq(this.#seq), at: millis(this.at), command });
  }

  /** As a gateway asks, with the quota that it knows. @returns the id, or why not */
  ask({ worth, limit = QUOTA, account = ALICE, id = (this.#ids += 1), internally = false }: Ask): string {
    const quota: QuotaTerms = { worth: atoms(BigInt(worth)), limit: atoms(BigInt(limit)) };
    const place = { account, withdrawalId: idOf(id), asset: USDC, amount: atoms(1n), quota };
    const [first] = internally
      ? this.give({ type: 'WithdrawInternally', ...place, to: addressOf(account === ALICE ? BOB : ALICE) })
      : this.give({ type: 'RequestWithdrawal', ...place, to: addressOf(99) });
    if (first?.type === 'CommandRejected') return first.reason;
    return first?.type === 'CommandRepeated' ? 'repeated' : idOf(id);
  }

  refund = (withdrawalId: string): readonly Event[] => this.give({ type: 'RefundWithdrawal', withdrawalId });

  pay(withdrawalId: string): void {
    this.give({ type: 'MarkWithdrawalSent', withdrawalId, txHash: `tx${withdrawalId}` });
    this.give({ type: 'PostWithdrawal', withdrawalId, txHash: `tx${withdrawalId}` });
  }

  restart(): void {
    this.engine = decodeState(this.engine.encodeState());
  }
}

const EXCEEDED = 'QuotaExceeded';

describe('the quota of withdrawals of an account', () => {
  const EDGES: readonly { readonly why: string; readonly afterMs: number; readonly worth: number; readonly isTaken: boolean }[] = [
    { why: 'exactly what is left', afterMs: 1, worth: 400, isTaken: true },
    { why: 'one atom more than what is left', afterMs: 1, worth: 401, isTaken: false },
    { why: 'nothing', afterMs: 1, worth: 0, isTaken: true },
    { why: 'what is left in the same millisecond', afterMs: 0, worth: 400, isTaken: true },
    { why: 'one atom more in the same millisecond', afterMs: 0, worth: 401, isTaken: false },
    { why: 'all of it a millisecond before 24 hours', afterMs: QUOTA_DAY_MS - 1, worth: 401, isTaken: false },
    { why: 'all of it after 24 hours', afterMs: QUOTA_DAY_MS, worth: QUOTA, isTaken: true },
    { why: 'one atom more than all of it after 24 hours', afterMs: QUOTA_DAY_MS, worth: QUOTA + 1, isTaken: false },
  ];

  test.each(EDGES)('[A8] who took 600 of 1000 asks for $why: taken is $isTaken', ({ afterMs, worth, isTaken }) => {
    for (const internally of [false, true]) {
      const bank = new Bank();
      expect(bank.ask({ worth: 600 })).toMatch(/^0x/);
      bank.restart();
      bank.at += afterMs;
      expect(bank.ask({ worth, internally }) !== EXCEEDED).toBe(isTaken);
    }
  });

  test('[A8] is of each account its own, and what is asked again takes nothing more', () => {
    const bank = new Bank();
    expect(bank.ask({ worth: QUOTA, id: 50 })).toBe(idOf(50));
    expect(bank.ask({ worth: QUOTA, id: 50 })).toBe('repeated');
    expect(bank.ask({ worth: 1 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: QUOTA, account: BOB })).toMatch(/^0x/);
  });

  test('[A8] a level that sinks leaves nothing but what is worth nothing, one that rises leaves the rest', () => {
    const bank = new Bank();
    bank.ask({ worth: 600 });
    expect(bank.ask({ worth: 1, limit: 500 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: 0, limit: 500 })).toMatch(/^0x/);
    expect(bank.ask({ worth: 9_401, limit: 10_000 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: 9_400, limit: 10_000 })).toMatch(/^0x/);
  });

  test('[A8] a refund gives its part back exactly; what is refused changes nothing, and what is paid stays', () => {
    const bank = new Bank();
    const first = bank.ask({ worth: 300 });
    const second = bank.ask({ worth: 500 });
    const before = bank.engine.encodeState();
    expect(bank.ask({ worth: 201 })).toBe(EXCEEDED);
    expect(bank.engine.encodeState()).toEqual(before);
    bank.restart();
    bank.at += 5;
    expect(bank.refund(first)).toContainEqual({ type: 'QuotaUsed', account: ALICE, since: START, worth: 500n });
    expect(bank.refund(first)).toEqual([{ type: 'CommandRepeated', key: first }]);
    bank.pay(second);
    bank.restart();
    expect(bank.refund(second)).toMatchObject([{ type: 'CommandRejected' }]);
    expect(bank.ask({ worth: 501 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: 500 })).toMatch(/^0x/);
  });

  test('a refund after 24 hours gives nothing back a second time', () => {
    const bank = new Bank();
    const old = bank.ask({ worth: 700 });
    bank.at += QUOTA_DAY_MS;
    bank.ask({ worth: 700 });
    bank.refund(old);
    expect(bank.ask({ worth: 301 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: 300 })).toMatch(/^0x/);
  });

  test('more times than are kept count as one from the later on: never less, and a refund still gives its part back', () => {
    const bank = new Bank();
    const ids = Array.from({ length: QUOTA_USES_MAX + 10 }, () => {
      bank.at += 1;
      return bank.ask({ worth: 10 });
    });
    const kept = () => decodeSnapshot(bank.engine.encodeState()).quotaUses;
    expect(kept()).toHaveLength(QUOTA_USES_MAX);
    expect(kept()[0]).toEqual({ account: ALICE, first: START + 1, since: START + 11, worth: 110n });
    bank.restart();
    bank.refund(ids[3] ?? '');
    expect(kept()[0]).toMatchObject({ worth: 100n });
    // Ten of the eleven oldest are over, but count with the eleventh.
    bank.at = START + 10 + QUOTA_DAY_MS;
    expect(bank.ask({ worth: QUOTA - 730 + 1 })).toBe(EXCEEDED);
    bank.at += 1;
    expect(bank.ask({ worth: QUOTA - 630 + 1 })).toBe(EXCEEDED);
    expect(bank.ask({ worth: QUOTA - 630 })).toMatch(/^0x/);
  });

  test('accounts that withdrew a day ago are forgotten by the next withdrawal of anybody', () => {
    const bank = new Bank();
    bank.ask({ worth: 10 });
    bank.at += QUOTA_DAY_MS;
    bank.ask({ worth: 10, account: BOB });
    expect(decodeSnapshot(bank.engine.encodeState()).quotaUses.map(({ account }) => account)).toEqual([BOB]);
  });

  test('is of rules 10: before, a withdrawal that names one is refused, and one that names none is as it was', () => {
    const bank = new Bank(9);
    expect(bank.ask({ worth: 1 })).toBe('RulesTooOld');
    expect(bank.ask({ worth: 1, internally: true })).toBe('RulesTooOld');
    const plain = { account: ALICE, withdrawalId: idOf(77), asset: USDC, amount: atoms(1n), to: addressOf(99) };
    expect(bank.give({ type: 'RequestWithdrawal', ...plain }).map(({ type }) => type)).toEqual([
      'WithdrawalHeld',
      'OutflowChanged',
      'BalanceChanged',
    ]);
    bank.give({ type: 'UpgradeRules', version: 10 });
    bank.refund(idOf(77));
    expect(bank.ask({ worth: QUOTA })).toMatch(/^0x/);
  });

  test.each([
    { worth: -1, limit: 5 },
    { worth: 1, limit: -5 },
  ])('a worth or a quota that is none is malformed: $worth of $limit', (terms) => {
    expect(new Bank().ask(terms)).toBe('InvalidField');
    expect(new Bank().ask({ ...terms, internally: true })).toBe('InvalidField');
  });
});

/** A withdrawal that the engine has taken. */
interface Taken {
  readonly id: string;
  readonly at: number;
  readonly worth: bigint;
  isRefundable: boolean;
}

/** The most that withdrawals of any 24 hours are worth: of those that begin with one of them. */
function mostOfAnyDay(taken: readonly Taken[]): bigint {
  let most = NO_ATOMS;
  for (const { at: start } of taken) {
    const within = taken.filter(({ at }) => at >= start && at - start < QUOTA_DAY_MS);
    const sum = within.reduce((total, { worth }) => addAtoms(total, atoms(worth)), NO_ATOMS);
    if (sum > most) most = sum;
  }
  return most;
}

test('[A8] two gateways, refunds and restarts: within any 24 hours never more than the quota is taken, and nothing is refused that fits', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  for (let episode = 0; episode < 40; episode += 1) {
    const bank = new Bank();
    let taken: Taken[] = [];
    let refused = 0;
    for (let step = 0; step < 150; step += 1) {
      if (chance.oneIn(3)) bank.at += chance.pick([1, 60_000, 3_600_000, QUOTA_DAY_MS - 1, QUOTA_DAY_MS]);
      if (chance.oneIn(10)) bank.restart();
      const refundable = taken.filter(({ isRefundable }) => isRefundable);
      if (refundable.length > 0 && chance.oneIn(4)) {
        const { id } = chance.pick(refundable);
        bank.refund(id);
        taken = taken.filter((one) => one.id !== id);
      }
      const now = bank.at;
      // Both gateways ask at once, neither knowing of the other.
      for (let gateway = 0; gateway < 2; gateway += 1) {
        const worth = chance.pick([0, 1, 100, 333, 500, QUOTA]);
        const internally = chance.oneIn(4);
        const used = taken.filter(({ at }) => now - at < QUOTA_DAY_MS).reduce((sum, one) => sum + one.worth, 0n);
        const answer = bank.ask({ worth, internally });
        expect(answer === EXCEEDED, `episode ${episode}, step ${step}`).toBe(used + BigInt(worth) > QUOTA && worth > 0);
        if (answer === EXCEEDED) refused += 1;
        else taken.push({ id: answer, at: now, worth: BigInt(worth), isRefundable: !internally });
      }
    }
    expect(mostOfAnyDay(taken), `episode ${episode}`).toBeLessThanOrEqual(BigInt(QUOTA));
    expect(refused).toBeGreaterThan(0);
  }
});
