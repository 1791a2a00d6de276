import { expect, test } from 'vitest';
import { AuditHeads } from './audit-heads.ts';
import { AuditLog } from './audit-log.ts';
import type { Change, Hands } from './change.ts';
import { Desk } from './desk.ts';
import { inAnOffice } from './testing/in-an-office.ts';
import type { Office } from './testing/office.ts';

let office: Office;
inAnOffice((opened) => {
  office = opened;
});

const budget = (pointsPerDay: number): Change => ({ kind: 'BUDGET', pointsPerDay, faucetClaimsPerDay: 10 });

/** Whose admissions fail the first time and are held the second. */
async function deskOf(admitted: { begun: () => void; held: Promise<void> }): Promise<Desk> {
  const now = () => office.clock.now;
  const audit = new AuditLog({ db: office.db.sql, heads: await AuditHeads.open(office.auditHeadsFile), now });
  let tries = 0;
  const admit = async () => {
    if (tries++ === 0) throw new Error('the disk is gone');
    admitted.begun();
    await admitted.held;
  };
  const { budgets } = office.campaign;
  const hands = { campaign: { budgets, whitelist: { admit } } } as unknown as Hands;
  return new Desk({ db: office.db.sql, audit, now, hands });
}

test('[A10] what was open when the retry began, and was done meanwhile, does not undo what came after it', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const desk = await deskOf({ begun: begun.resolve, held: held.promise });
  await expect(desk.change('alice', { kind: 'ADMIT', addresses: [] })).rejects.toThrow('the disk is gone');
  office.campaign.faults.push(new Error('the disk is gone'));
  await expect(desk.change('alice', budget(500))).rejects.toThrow('the disk is gone');

  const retried = desk.catchUp((error) => office.troubles.push(error));
  await begun.promise;
  await desk.change('bob', budget(400));
  held.resolve();
  await retried;
  expect(office.campaign.terms.pointsPerDay).toBe(400);
  expect(office.troubles).toEqual([]);
});
