/** A new service takes three places: its routes, its descriptor, and its entry in the list of the program. */
import { routes, type Handlers, type TableHandlers } from '@orrery/api';
import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { openVenue } from '../../../services/gateway/src/testing/venue.ts';
import { Closing } from '../closing.ts';
import { readConfig } from '../config.ts';
import { temporaryDatabase } from '../testing/temporary-database.ts';
import { type Ground, serve, type ServiceEntry } from './service.ts';
import { migrationsOf, SERVICES, startServices } from './services.ts';

// The first place: what `api/src/guest-book.ts` would be.
const guestBookRoutes = routes({
  guests: {
    method: 'GET',
    path: '/pro/p/guest-book/list',
    access: 'public',
    rate: 'public',
    summary: 'Who signed the book.',
    response: Type.Array(Type.Object({ name: Type.String() })),
  },
  signGuestBook: {
    method: 'POST',
    path: '/pro/p/guest-book/sign',
    access: 'public',
    rate: 'public',
    summary: 'Sign the book.',
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 32 }) }, { additionalProperties: false }),
    response: Type.Null(),
  },
});

// The second place: the package `services/guest-book`, with a table, whose two places are its type and its migration.
interface GuestBookTables {
  guest_book_line: { id: Generated<number>; name: string };
}

const first: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table guest_book_line (id bigint generated always as identity primary key, name text not null)`.execute(db);
  },
};

const tables = { guestBook: guestBookRoutes };

const guestBookHandlers = (db: Kysely<GuestBookTables>): Handlers<typeof guestBookRoutes> => ({
  guests: () => db.selectFrom('guest_book_line').select('name').orderBy('id').execute(),
  async signGuestBook({ body: { name } }) {
    await db.insertInto('guest_book_line').values({ name }).execute();
    return null;
  },
});

const guestBookService = {
  name: 'guest-book',
  routes: tables,
  migrations: { 'guest-book-001-first': first },
  open: (db: Kysely<GuestBookTables>): { handlers: TableHandlers<typeof tables>; stop(): Promise<void> } => ({
    handlers: { guestBook: guestBookHandlers(db) },
    stop: () => Promise.resolve(),
  }),
};

// The third place: its entry in the list.
const guestBookEntry = serve(guestBookService, ({ database }) => database.of<GuestBookTables>());

/** The real database with the tables of these services, and nothing else that a service could be given. */
async function groundFor(entries: readonly ServiceEntry[]): Promise<Ground> {
  const database = await temporaryDatabase<unknown>(migrationsOf(entries));
  const closing = new Closing(() => undefined);
  closing.add({ name: 'the database', stop: () => database.close() });
  onTestFinished(() => closing.run());
  return {
    surroundings: { config: readConfig({}), closing, log: pino({ level: 'silent' }), onFatal: () => undefined },
    database: { address: { url: '' }, of: <Tables>() => database.sql as Kysely<Tables> },
  } as unknown as Ground;
}

test('a sample service with routes and a table is added in three places, and answers through the gateway', async () => {
  const entries = [guestBookEntry];
  const started = await startServices(await groundFor(entries), entries);
  const venue = await openVenue({ mounts: started.calls });
  onTestFinished(() => venue.close());
  expect((await venue.post('/pro/p/guest-book/sign', { body: { name: 'alice' } })).code).toBe(0);
  expect((await venue.post('/pro/p/guest-book/sign', { body: { name: '' } })).status).toBe(400);
  expect((await venue.get('/pro/p/guest-book/list')).data).toEqual([{ name: 'alice' }]);
});

test('the names of the services and of their migrations are unique, and each migration begins with the name of its service', () => {
  const names = SERVICES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, migrations } of SERVICES) {
    for (const migration of Object.keys(migrations)) expect(migration.startsWith(`${name}-`), migration).toBe(true);
  }
});

test('a service that uses one that is not started yet is a bug that names it', async () => {
  const early = serve({ ...guestBookService, name: 'early' }, ({ database }, started) => {
    started.of(guestBookService);
    return database.of<GuestBookTables>();
  });
  await expect(startServices({} as Ground, [early])).rejects.toThrow('guest-book is started before it is used');
});
