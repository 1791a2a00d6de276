/** Leases in SQL: one row a kind, which the database's clock gives to one holder at a time. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { LeaseStore } from './leases.ts';
import { statements } from './migration.ts';

export interface LeaseTables {
  foundation_lease: { kind: string; holder: string; term: number; expires: Date };
}

export const leaseMigrations: Readonly<Record<string, Migration>> = {
  'foundation-001-leases': statements([
    `create table foundation_lease (
      kind text primary key,
      holder text not null,
      -- Grows by one with each taking: what was begun under an earlier one writes nothing more.
      term bigint not null check (term > 0),
      expires timestamptz not null
    )`,
  ]),
};

export function sqlLeases(db: Kysely<LeaseTables>): LeaseStore {
  return {
    async renew({ holder, place, asked, forMs }) {
      const kinds = asked.map(({ kind }) => kind);
      const terms = asked.map(({ term }) => term);
      const firsts = asked.map(({ isFirst }) => isFirst);
      // In one order of rows: two processes that ask at once wait for one another, and never in a circle.
      const { rows } = await sql<{ kind: string; term: number }>`
        insert into foundation_lease as held (kind, holder, term, expires)
        select kind, ${holder}, term + 1, now() + ${forMs}::float8 * interval '1 millisecond'
        from unnest(${kinds}::text[], ${terms}::bigint[]) as asked (kind, term) order by kind
        on conflict (kind) do update set
          holder = excluded.holder,
          expires = excluded.expires,
          term = case when held.holder = excluded.holder and held.term = excluded.term - 1 then held.term else held.term + 1 end
        where held.holder = excluded.holder
          or held.expires <= now()
          or starts_with(held.holder, ${place})
            and held.kind in (select kind from unnest(${kinds}::text[], ${firsts}::boolean[]) as asked (kind, is_first) where is_first)
        returning kind, term`.execute(db);
      return rows;
    },
    async endsIn(kinds) {
      const { rows } = await sql<{ ms: number | null }>`
        select (extract(epoch from min(expires) - now()) * 1000)::float8 as ms from foundation_lease where kind = any(${kinds}::text[])`.execute(
        db,
      );
      return rows[0]?.ms ?? undefined;
    },
    async release(holder) {
      await sql`update foundation_lease set expires = now() where holder = ${holder}`.execute(db);
    },
  };
}
