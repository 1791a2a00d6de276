import type { KyselyPlugin } from 'kysely';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Operator } from '@orrery/api';
import { millis } from '@orrery/units';
import { AuditHeads } from './audit-heads.ts';
import { AuditLog } from './audit-log.ts';
import { Notices } from './notices.ts';
import { inAnOffice } from './testing/in-an-office.ts';
import type { Office } from './testing/office.ts';

let office: Office;
inAnOffice((opened) => {
  office = opened;
});

const ALICE: Operator = { operatorId: 'alice', name: 'alice', role: 'admin', rights: [], endsAt: millis(0) };

/** The answer to the first reading of what is shown is held. */
function firstReadingHeld() {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let readings = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isReading = result.rows.some((row) => 'created_by' in row);
      if (isReading && readings++ === 0) {
        begun.resolve();
        await held.promise;
      }
      return result;
    },
  };
  return { plugin, begun: begun.promise, release: held.resolve };
}

test('[A10] of two notices at once neither is hidden by the slower reading of the other', async () => {
  const reading = firstReadingHeld();
  const now = () => office.clock.now;
  const audit = new AuditLog({ db: office.db.sql, heads: await AuditHeads.open(office.auditHeadsFile), now });
  const notices = new Notices({ db: office.db.sql.withPlugin(reading.plugin), audit, now });
  const create = (title: string) => notices.create(ALICE, { kind: 'BANNER', title, text: 'soon' });
  const one = create('one');
  await reading.begun;
  const other = create('other');
  // Time enough for a reading that does not wait for the one before it.
  await Promise.race([other, setTimeout(200)]);
  reading.release();
  await Promise.all([one, other]);
  expect(notices.shown('BANNER').map(({ title }) => title)).toEqual(['other', 'one']);
});
