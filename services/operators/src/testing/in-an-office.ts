/** For tests: an office of its own for each test of a file, over one database. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openDatabase, openOffice, type Office } from './office.ts';

/** @param begin is given the office before each test */
export function inAnOffice(begin: (office: Office) => void | Promise<void>, options: { readonly timelockMs?: number } = {}): void {
  let db: Office['db'];
  let office: Office;
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    office = await openOffice(db, options);
    await begin(office);
  });
  afterEach(() => office.close());
}
