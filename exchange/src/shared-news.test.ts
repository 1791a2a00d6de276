import type { NewsSource } from '@orrery/gateway';
import { accountId } from '@orrery/units';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeConnection, listenForChanges } from './changes.ts';
import { newsMigrations, type NewsTables, SharedNews } from './shared-news.ts';
import { type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

type News = Parameters<Parameters<NewsSource['onNews']>[0]>[0];

/** What the services of one process announce. */
class Own implements NewsSource {
  #listener: ((news: News) => void) | undefined;

  onNews(listener: (news: News) => void): () => void {
    this.#listener = listener;
    return () => (this.#listener = undefined);
  }

  announce(news: News): void {
    this.#listener?.(news);
  }
}

interface Process {
  readonly own: Own;
  readonly heard: News[];
  stop(): Promise<void>;
}

const claim = (account: number): News => ({ account: accountId(account), resType: 'uClaim', data: { status: 1 } });
const message = (account: number, detailType: 'OTC' | 'NOTICE', id: string): News => ({
  account: accountId(account),
  resType: 'znxMessage',
  data: { id, title: 'A title', content: 'A text', aggType: detailType, detailType, createdTime: 1 },
});

let db: TemporaryDatabase<NewsTables>;
let troubles: unknown[];
const processes: Process[] = [];

beforeEach(async () => {
  troubles = [];
  db = await temporaryDatabase<NewsTables>({ ...newsMigrations });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.stop()));
  await db.close();
});

async function start(): Promise<Process> {
  const own = new Own();
  const heard: News[] = [];
  const onTrouble = (error: unknown): void => void troubles.push(error);
  const changes: ChangeConnection = await listenForChanges(db.address, { monotonicMs: () => performance.now(), onTrouble });
  const shared = new SharedNews({ own, db: db.sql, changes, onTrouble });
  // Streams listen from the beginning.
  shared.onNews((news) => heard.push(news));
  await shared.started;
  const running = {
    own,
    heard,
    async stop() {
      await shared.stop();
      await changes.close();
    },
  };
  processes.push(running);
  return running;
}

test('news of one process reach the listeners of each, once, in its order; what every process announces itself is not sent', async () => {
  const [one, two] = [await start(), await start()];
  const sent = Array.from({ length: 200 }, (_, at) => message(1 + (at % 7), 'OTC', `otc:${at}`));
  for (const news of sent) {
    one.own.announce(news);
    if (Math.random() < 0.1) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  one.own.announce(claim(3));
  one.own.announce(message(3, 'NOTICE', 'notice:1'));
  two.own.announce(message(4, 'OTC', 'otc:of two'));
  await expect.poll(() => two.heard.length).toBe(201);
  await expect.poll(() => one.heard.length).toBe(203);
  expect(two.heard.filter((news) => 'id' in news.data && news.data.id !== 'otc:of two')).toEqual(sent);
  expect(one.heard.filter((news) => 'id' in news.data && news.data.id === 'otc:of two')).toHaveLength(1);
  expect(troubles).toEqual([]);
});

test('what was announced before a process began is not announced in it', async () => {
  const one = await start();
  one.own.announce(message(1, 'OTC', 'otc:old'));
  await expect.poll(() => count()).toBe(1);
  const two = await start();
  expect(two.heard).toEqual([]);
  one.own.announce(message(1, 'OTC', 'otc:new'));
  await expect.poll(() => two.heard).toEqual([message(1, 'OTC', 'otc:new')]);
});

test('what is announced while a process hears nothing reaches it when it hears again', async () => {
  const [one, two] = [await start(), await start()];
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and query like 'listen %' or query = 'select 1'`.execute(
    db.sql,
  );
  one.own.announce(message(1, 'OTC', 'otc:meanwhile'));
  await expect.poll(() => two.heard).toEqual([message(1, 'OTC', 'otc:meanwhile')]);
  expect(one.heard).toEqual([message(1, 'OTC', 'otc:meanwhile')]);
});

async function count(): Promise<number> {
  const { rows } = await db.sql
    .selectFrom('exchange_news')
    .select(sql<number>`count(*)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}
