import { UNMASKINGS_PER_DAY, UNMASKINGS_PER_MINUTE } from '@orrery/api';
import { describe, expect, test } from 'vitest';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const MINUTE = 60_000;
const HANDED_IN = { account: 7, handedInTime: 5 };
const CAROL = {
  ...HANDED_IN,
  realName: 'C*** E***',
  documentType: 'PASSPORT' as const,
  documentNumber: '…47',
  country: 'DE',
  files: 1,
};
const FULL = { realName: 'Carol Example', documentNumber: 'C01X00T47' };

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
  office.identities.handedIn.push({ masked: CAROL, full: FULL });
});

const desk = () => office.operators.handlers.identityDesk;
const queue = () => bob.call(desk().identities);
const view = (by: Desk, body: object = {}) => by.call(desk().viewIdentity, { body: { account: 7, reasonCode: 'REVIEW', ...body } });
const decide = (body: object) => bob.call(desk().decideIdentity, { body: { ...HANDED_IN, ...body } });
const log = async () => (await alice.auditLog()).list;

describe('identities at the console', () => {
  test('[A4] the queue is masked', async () => {
    expect(await queue()).toEqual({ list: [CAROL], total: 1 });
  });

  test('[A4] one is shown for a reason code in the audit log, which does not hold the data', async () => {
    const { operatorId } = await bob.call(office.operators.handlers.operator.operatorMe);
    expect(await view(bob)).toMatchObject({
      ...FULL,
      files: [{ type: 'image/png', url: expect.stringContaining(`reviewer=${operatorId}`) }],
      left: UNMASKINGS_PER_DAY - 1,
    });
    const [row] = await log();
    expect(row).toMatchObject({ operator: 'bob', action: 'UNMASK' });
    expect(JSON.parse(row?.detail ?? '')).toEqual({ kind: 'IDENTITY', account: 7, reasonCode: 'REVIEW' });
    expect(JSON.stringify(await log())).not.toMatch(/Carol|C01X/);
    expect(await refusalOf(view(bob, { account: 8 }))).toBe('UnknownThing account');
  });

  test('[A4] 5 views a minute and 50 a day: the 51st is refused and raises an alarm', async () => {
    for (let seen = 0; seen < UNMASKINGS_PER_DAY; seen += 1) {
      if (seen % UNMASKINGS_PER_MINUTE === 0) office.clock.now += MINUTE;
      await view(bob);
      if (seen === UNMASKINGS_PER_MINUTE - 1) expect(await refusalOf(view(bob))).toBe('TooManyRequests');
    }
    office.clock.now += MINUTE;
    await alice.signIn();
    expect((await alice.call(office.operators.handlers.privacyDesk.alarms)).total).toBe(0);
    expect(await refusalOf(view(bob))).toBe('TooManyRequests');
    const [alarm] = (await alice.call(office.operators.handlers.privacyDesk.alarms)).list;
    expect(JSON.parse(alarm?.detail ?? '')).toMatchObject({ alarm: 'UNMASK_QUOTA', operator: 'bob', kind: 'IDENTITY', account: 7 });
  });

  test('[A4] is approved, and leaves the queue', async () => {
    await decide({ decision: 'APPROVED' });
    expect(office.identities.decided).toEqual([{ ...HANDED_IN, decision: 'APPROVED', reason: null }]);
    expect((await queue()).total).toBe(0);
    expect((await log())[0]).toMatchObject({ operator: 'bob', action: 'IDENTITY' });
  });

  test('[A4] is sent back with a reason only, and approved without one', async () => {
    expect(await refusalOf(decide({ decision: 'SENT_BACK' }))).toBe('MissingField reason');
    expect(await refusalOf(decide({ decision: 'APPROVED', reason: 'looks good' }))).toBe('MalformedField reason');
    expect(office.identities.decided).toEqual([]);
    await decide({ decision: 'SENT_BACK', reason: 'the image is blurred' });
    expect(office.identities.decided).toEqual([{ ...HANDED_IN, decision: 'SENT_BACK', reason: 'the image is blurred' }]);
  });

  test('[A4] what was handed in after the look, or is decided, is not decided', async () => {
    expect(await refusalOf(decide({ handedInTime: 4, decision: 'APPROVED' }))).toBe('UnknownThing account');
    await decide({ decision: 'APPROVED' });
    expect(await refusalOf(decide({ decision: 'SENT_BACK', reason: 'too late' }))).toBe('UnknownThing account');
    expect(office.identities.decided).toHaveLength(1);
  });

  test('[A4] a decision that fails is done at the next try, once', async () => {
    office.identities.faults.push(new Error('the disk is gone'));
    await expect(decide({ decision: 'APPROVED' })).rejects.toThrow('the disk is gone');
    await office.reopen();
    expect(office.identities.decided).toHaveLength(1);
  });
});
