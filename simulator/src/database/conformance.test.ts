import { registerListing } from '@orrery/exchange/listing';
import { migrations, startProjector, type ProjectorTables } from '@orrery/projector';
import type { Heart } from '@orrery/protocol';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { TABLES } from '../../../services/projector/src/tables.ts';
import { openMarket, seededRandom, trade } from '../../../services/projector/src/testing/market-day.ts';
import { Chance } from '../chance.ts';
import { SimDatabase } from './sim-database.ts';

let postgres: Database<ProjectorTables>;

beforeAll(async () => {
  postgres = await temporaryDatabase<ProjectorTables>(migrations);
}, 120_000);
afterAll(() => postgres.close());

async function write(heart: Heart, db: Kysely<ProjectorTables>): Promise<void> {
  const source = {
    seq: () => heart.status().seq,
    covers: () => true,
    present: () => heart.open(),
    subscribe: (after: Parameters<Heart['subscribe']>[0]) => heart.subscribe(after),
  };
  const trouble = Promise.withResolvers<never>();
  const projector = await startProjector({ source, db, onTrouble: trouble.reject });
  await Promise.race([projector.reached(heart.status().seq), trouble.promise]);
  await projector.stop();
}

/** Every row of every table, in words that both drivers share. */
async function everything(db: Kysely<ProjectorTables>): Promise<Record<string, readonly string[]>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of TABLES) tables[table] = (await db.selectFrom(table).selectAll().execute()).map(wordsOf).sort();
  return tables;
}

function wordsOf(row: object): string {
  const words = Object.entries(row).map(([name, value]: [string, unknown]) => `${name}=${JSON.stringify(value)?.replaceAll('"', '')}`);
  return words.sort().join(' ');
}

test('the simulated database ends a day of trading with the rows that PostgreSQL has', { timeout: 120_000 }, async () => {
  let now = 1_795_000_000_000;
  const heart = new MemoryHeart(() => (now += 700));
  await registerListing(heart);
  await openMarket(heart);
  await trade(heart, { random: seededRandom(10), commands: 800, label: 'day' });
  const simulated = (await SimDatabase.open([migrations], new Chance('conformance'))).connect<ProjectorTables>(undefined);
  await write(heart, simulated);
  await write(heart, postgres.sql);
  const [one, other] = [await everything(simulated), await everything(postgres.sql)];
  expect(one).toEqual(other);
  expect(one['projector_fill']?.length).toBeGreaterThan(50);
});
