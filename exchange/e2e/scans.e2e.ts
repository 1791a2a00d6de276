/**
 * What is done again and again reads what it needs and not all that was ever written: the statements of an exchange that works are planned by the server
 * for tables that are long.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { keyClient, prepareToTrade, signIn, tradeKey } from './person.ts';
import { startProgram } from './program.ts';
import { connectTo, fillTables, logStatements, partialIndexes, scansFor, statementsOf } from './statements.ts';

/** Longer than the sweeps and the timers of a minute wait. */
const WATCHED_MS = 65_000;
const ROWS = 5_000;

/** They do not grow with history: what stands in each, instead. */
const BOUNDED: Readonly<Record<string, string>> = {
  accounts_wrong_codes: 'eight rows',
  campaign_budget_terms: 'one row',
  campaign_flow_offset: 'one row',
  campaign_lucky_cursor: 'one row',
  campaign_offset: 'one row',
  campaign_outside_price: 'a row a coin',
  campaign_period: 'a row a week',
  exchange_news: 'five minutes of news',
  exchange_deployment: 'one row',
  exchange_price_anchor: 'one row',
  exchange_price_move: 'a row a contract, for ten minutes',
  foundation_lease: 'a row a kind',
  fund: 'a row a fund',
  fund_offset: 'one row',
  indexer_recall: 'payouts whose block is gone, until they are final in another one',
  indexer_solvency: 'one row',
  indexer_suspense: 'deposits whose block is gone, until they are credited again',
  operators_audit_head: 'one row',
  otc_deposit: 'a row a merchant',
  otc_offset: 'one row',
  projector_offset: 'one row',
};

/** Statements that do read a whole table, and why they may. */
const KNOWN: readonly { readonly begins: string; readonly tables: readonly string[]; readonly why: string }[] = [
  {
    begins: 'select (select coalesce(sum(amount), 0) from indexer_credit',
    tables: ['indexer_credit', 'indexer_deposit', 'indexer_payout', 'indexer_release', 'indexer_write_off'],
    why: 'whether the vault holds what the ledger says is summed from the rows themselves, every ten seconds; it grows with the number of deposits',
  },
  {
    begins: 'select "block_hash" from "indexer_lucky_block" where "taken_back_at" is not null',
    tables: ['indexer_lucky_block'],
    why: 'few blocks are taken back: here all are, there the index of those is read',
  },
  {
    begins: 'select count(*) as "count" from "campaign_claim" where "reserved_at" >= $1',
    tables: ['campaign_claim'],
    why: 'claims of a day: here all are of it, there the index by time is read',
  },
  {
    begins: 'select "file_id", "created_at" from "accounts_file"',
    tables: ['accounts_file'],
    why: 'files without a row are looked for once a day',
  },
];

test('no statement of an exchange at work reads a table that grows from one end to the other', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-scans-'));
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }));
  const program = await startProgram({ dataDirectory });
  onTestFinished(() => program.kill());
  const client = await connectTo(dataDirectory);
  onTestFinished(() => client.end());
  await logStatements(client, dataDirectory);

  const person = await signIn(program.url);
  await prepareToTrade(program.url, person);
  const trader = keyClient(program.url, await tradeKey(person));
  await trader.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', totalAmount: '0.001' });
  await pause(WATCHED_MS);
  const statements = statementsOf(dataDirectory);
  // What is not seen is not judged.
  expect(statements.length).toBeGreaterThan(100);

  await client.query('begin');
  await fillTables(client, { rows: ROWS, except: new Set(Object.keys(BOUNDED)) });
  const partial = await partialIndexes(client);
  const scans: string[] = [];
  for (const statement of statements) {
    const text = statement.text.replaceAll(/\s+/g, ' ').trim();
    const known = KNOWN.find(({ begins }) => text.startsWith(begins))?.tables ?? [];
    const tables = (await scansFor(client, statement, partial)).filter((table) => !(table in BOUNDED) && !known.includes(table));
    if (tables.length > 0) scans.push(`${[...new Set(tables)].join(', ')}: ${statement.count} times ${text.slice(0, 300)}`);
  }
  await client.query('rollback');
  expect(scans).toEqual([]);
});
