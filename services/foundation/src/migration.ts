/** Migrations written as SQL. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A migration that executes the statements in their order. */
export const statements = (texts: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const text of texts) await sql.raw(text).execute(db);
  },
});
