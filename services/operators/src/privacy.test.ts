import { describe, expect, test } from 'vitest';
import { UNMASKINGS_PER_DAY, UNMASKINGS_PER_MINUTE } from '@orrery/api';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x1a00000000000000000000000000000000ca409f';
const EMAIL = 'carol@example.com';
const MINUTE = 60_000;

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
  office.campaign.persons.push({ id: 7, address: CAROL, email: EMAIL, joinedAt: 1 });
});

const desk = () => office.operators.handlers.privacyDesk;
const unmask = (by: Desk, body: object = {}) => by.call(desk().unmask, { body: { kind: 'WAITING', id: 7, reason: 'a question', ...body } });
const alarms = async () => (await alice.call(desk().alarms)).list;
const log = async () => (await alice.auditLog()).list;

/** As many views as a day has, at the pace that is allowed. */
async function useUp(by: Desk): Promise<void> {
  for (let view = 0; view < UNMASKINGS_PER_DAY; view += 1) {
    if (view % UNMASKINGS_PER_MINUTE === 0) office.clock.now += MINUTE;
    await unmask(by);
  }
  office.clock.now += MINUTE;
}

describe('[A10] K1: personal data', () => {
  test('is masked: e-mail and address of who waits, addresses of clusters', async () => {
    const { waitingList } = office.operators.handlers.whitelistDesk;
    expect((await bob.call(waitingList)).list).toEqual([{ waitingId: 7, address: '0x1a…9f', email: 'c***@e***', joinedAt: 1 }]);
  });

  test('is shown for a reason in the audit log, which does not hold the data itself', async () => {
    expect(await unmask(bob)).toEqual({ address: CAROL, email: EMAIL, left: UNMASKINGS_PER_DAY - 1 });
    const [row] = await log();
    expect(row).toMatchObject({ operator: 'bob', action: 'UNMASK' });
    expect(JSON.parse(row?.detail ?? '')).toEqual({ kind: 'WAITING', id: 7, reason: 'a question', address: '0x1a…9f' });
    expect(JSON.stringify(await log())).not.toContain(EMAIL);
  });

  test('of a cluster is shown by the account, and of no other account', async () => {
    const ring = { campaignId: 'launch', evidence: ['TRADING'] as const, trades: 40, expected: 1.5, volume: '1200.5' };
    office.campaign.rings.push({ ...ring, members: [{ account: 3, address: CAROL, isWasher: true }] });
    expect(await unmask(bob, { kind: 'CLUSTER', id: 3 })).toMatchObject({ address: CAROL, email: null });
    expect(await refusalOf(unmask(bob, { kind: 'CLUSTER', id: 4 }))).toBe('UnknownThing id');
    const [winner, loser] = [5, 6].map((account) => ({ account, address: CAROL }));
    if (winner === undefined || loser === undefined) expect.fail('there are two');
    const sums = { won: '4000', lost: '4010', between: '3900', trades: 12 };
    office.campaign.pairs.push({ campaignId: 'launch', winner, loser, kind: 'DIRECT', ...sums });
    expect(await unmask(bob, { kind: 'CLUSTER', id: 6 })).toMatchObject({ address: CAROL, email: null });
    expect(await refusalOf(unmask(bob, { id: 8 }))).toBe('UnknownThing id');
    expect((await log()).filter(({ action }) => action === 'UNMASK')).toHaveLength(2);
  });

  test('50 views a day: the 51st is refused and raises an alarm; a day later there are more', async () => {
    await useUp(bob);
    await bob.signIn();
    expect(await alarms()).toEqual([]);
    expect(await refusalOf(unmask(bob))).toBe('TooManyRequests');
    const [alarm, ...others] = await alarms();
    expect(alarm).toMatchObject({ operator: 'bob', action: 'ALARM' });
    expect(JSON.parse(alarm?.detail ?? '')).toMatchObject({ alarm: 'UNMASK_QUOTA', operator: 'bob', quota: UNMASKINGS_PER_DAY });
    expect(others).toEqual([]);
    expect((await log()).filter(({ action }) => action === 'UNMASK')).toHaveLength(UNMASKINGS_PER_DAY);
    // Another operator has a quota of their own.
    expect(await unmask(alice)).toMatchObject({ left: UNMASKINGS_PER_DAY - 1 });
    office.clock.now += 24 * 60 * MINUTE;
    await bob.signIn();
    expect(await unmask(bob)).toMatchObject({ left: UNMASKINGS_PER_DAY - 1 });
  });

  test('the quota survives a restart', async () => {
    await useUp(bob);
    await office.reopen();
    await bob.signIn();
    expect(await refusalOf(unmask(bob))).toBe('TooManyRequests');
  });

  test('ten views at once: five are had, a minute later there are more', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusalOf(unmask(bob))));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(UNMASKINGS_PER_MINUTE);
    expect(await alarms()).toEqual([]);
    office.clock.now += MINUTE;
    expect(await refusalOf(unmask(bob))).toBeUndefined();
  });

  test('who waits is let in by number, unseen', async () => {
    await bob.call(office.operators.handlers.whitelistDesk.admitWaiting, { body: { waitingIds: [7] } });
    expect(office.campaign.admittedIds).toEqual([7]);
    expect((await log())[0]).toMatchObject({ action: 'ADMIT_WAITING', detail: '{"waitingIds":[7]}' });
  });
});
