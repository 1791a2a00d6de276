/**
 * K1: Two persons on the whole program, one deleted by themselves and one by two operators, over a kill -9: afterwards nothing of them is found in the
 * data folder, in any table, or in what the program printed, and the journal verifies as before.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join as path } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as Sql } from 'pg';
import { expect, test } from 'vitest';
import { NODE_FLAGS } from '../../tools/node-flags.mjs';
import { DATABASE_USER } from '../src/embedded/postgres/cluster.ts';
import { askToBeDeleted, type Canary, isGone, type KnownPerson, settle } from './canary.ts';
import { join } from './operator.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { dataDirectory, program, startAgain, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const VERIFY = fileURLToPath(new URL('../../services/sequencer/src/verify.ts', import.meta.url));
const WAIT_SECONDS = 5;
/** What is due is looked at every 15 seconds. */
const SWEPT = { withinMs: 90_000 };

const ZEBULON: Canary = {
  realName: 'Zebulon Canaryfield',
  documentNumber: 'ZCAN7731',
  email: 'zebulon.canary@example.org',
  waitingEmail: 'zebulon.waits@example.org',
  tel: '15755501234',
  addressLabel: 'zebulons savings',
  keyLabel: 'zebulons bot',
  userAgent: 'ZebulonBrowser/77.31',
  from: '10.77.31.201',
  file: 'ZebulonsPassport',
};
const WILHELMINA: Canary = {
  realName: 'Wilhelmina Finchley',
  documentNumber: 'WFIN4420',
  email: 'wilhelmina.finch@example.org',
  waitingEmail: 'wilhelmina.waits@example.org',
  tel: '15755509876',
  addressLabel: 'wilhelminas savings',
  keyLabel: 'wilhelminas bot',
  userAgent: 'WilhelminaBrowser/44.20',
  from: '10.44.20.202',
  file: 'WilhelminasPassport',
};

let printed = '';
withProgram({
  onOutput: (text) => (printed += text),
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_TIMELOCK_SECONDS: '0',
    ORRERY_ERASURE_WAIT_SECONDS: String(WAIT_SECONDS),
    ORRERY_WHITELIST: 'weekly',
    ORRERY_MARKET_MAKER: 'off',
    // Those who stay: their keys stay too.
    ORRERY_FUND_MANAGER: 'on',
    ORRERY_LOG: 'trace',
  },
});

/** Each row of each table as text, with the bytes that texts are in. */
async function tablesAsText(): Promise<string> {
  const sql = new Sql({ host: path(dataDirectory, 'postgres', 'cluster'), user: DATABASE_USER, database: 'postgres' });
  await sql.connect();
  try {
    const { rows: tables } = await sql.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql.query<{ text: string }>(`select each::text as text from ${name} as each`);
      for (const { text } of rows) texts.push(`${name} ${text}`, ...bytesIn(text));
    }
    await sql.query('checkpoint');
    return texts.join('\n');
  } finally {
    await sql.end();
  }
}

const bytesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\\x([0-9a-f]{2,})/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));

/** In each way in which a text may lie in a file. */
const formsOf = (word: string): readonly Buffer[] =>
  (['utf8', 'utf16le'] as const)
    .flatMap((encoding) => [Buffer.from(word, encoding), Buffer.from(Buffer.from(word, encoding).toString('hex'))])
    .concat(Buffer.from(Buffer.from(word).toString('base64').slice(0, -4)));

/** The files of the data folder in which a word is found. */
async function filesWith(words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readFile(path(entry.parentPath, entry.name));
    for (const word of words)
      if (formsOf(word).some((form) => bytes.includes(form))) found.push(`${path(entry.parentPath, entry.name)}: ${word}`);
  }
  return found;
}

function verified(): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE_FLAGS, VERIFY, path(dataDirectory, 'history')], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

async function trade(one: KnownPerson, other: KnownPerson): Promise<void> {
  const order = { symbol: 'BTC_USDC', tradeType: 'LIMIT', price: await fairPrice(one), totalAmount: '0.001' } as const;
  await one.person.client.createOrder({ ...order, direction: 'SELL' });
  await other.person.client.createOrder({ ...order, direction: 'BUY' });
}

const fairPrice = async ({ person }: KnownPerson): Promise<string> =>
  String(Math.floor(Number((await person.client.indexPrice({ symbol: 'BTC_USDC' })).p)));

test('K1: what is personal is found by nobody once its person is deleted, by themselves or by two operators', async () => {
  const { url } = program;
  const { client: alice } = await join(url, { code: FIRST_CODE, name: 'alice', from: '10.8.0.2' });
  const { code } = await alice.inviteOperator({ name: 'bob', role: 'operator' });
  const { client: bob } = await join(url, { code, name: 'bob', from: '10.8.0.3' });
  const admit = (address: string) => alice.admit({ addresses: [address] });
  const zebulon = await settle(url, ZEBULON, admit);
  const wilhelmina = await settle(url, WILHELMINA, admit);
  await trade(zebulon, wilhelmina);
  const exported = async ({ person }: KnownPerson): Promise<boolean> =>
    (await person.client.exports()).list.every(({ state }) => state === 'READY');
  for (const { person } of [zebulon, wilhelmina]) await person.client.createExport({});
  for (const known of [zebulon, wilhelmina]) await until('the files are made', () => exported(known));
  expect(await tablesAsText()).toMatch(/^projector_export_piece /m);
  const handedIn = (await alice.identities({})).list.map(({ account }) => account);
  expect(handedIn).toEqual([zebulon.account, wilhelmina.account]);

  const refused = bob.proposeErasure({ account: wilhelmina.account, reasonCode: 'REQUEST' });
  await expect(refused).rejects.toThrow(/still has .*USDC/);
  const { proposalId, hash } = await bob.proposeErasure({ account: wilhelmina.account, reasonCode: 'REQUEST', abandon: true });
  await alice.approveProposal({ proposalId, hash });
  await askToBeDeleted(zebulon);
  await program.kill();
  await startAgain();
  for (const known of [zebulon, wilhelmina]) await until('the person is deleted', () => isGone(url, known), SWEPT);
  await until('the rows are gone', async () => !(await tablesAsText()).includes('accounts_erasure '), SWEPT);

  const words = [...zebulon.words, ...wilhelmina.words];
  const tables = await tablesAsText();
  // What is public on the chain stays, and shows that the search finds what is there.
  for (const { person } of [zebulon, wilhelmina]) expect(tables).toContain(person.address.toLowerCase());
  expect(tables.split('\n').filter((line) => words.some((word) => line.includes(word)))).toEqual([]);
  expect(tables).not.toMatch(/^projector_export/m);
  for (const { account } of [zebulon, wilhelmina])
    expect(tables).not.toMatch(new RegExp(`^accounts_wrapped_person_key \\(${account},`, 'm'));
  expect(tables).toMatch(/^accounts_wrapped_person_key \(/m);
  expect((await alice.identities({})).list).toEqual([]);
  expect((await alice.auditLog({ pageSize: 100 })).brokenAt).toBeNull();
  await program.stop();

  expect(await filesWith([zebulon.person.address.toLowerCase()])).not.toEqual([]);
  expect(await filesWith(words)).toEqual([]);
  for (const word of words) expect(printed, word).not.toContain(word);
  // The log said what it says at its most talkative, of both lives of the program: the search had something to look at.
  expect(printed).toContain('orrery: stopping');
  expect(printed.match(/audit log is as it was written/g)).toHaveLength(2);
  expect(await readdir(path(dataDirectory, 'files'))).toEqual([]);
  expect(verified()).toMatch(/^seq \d+ state [0-9a-f]{64}/m);

  await startAgain();
  expect(await isGone(url, zebulon)).toBe(true);
});
