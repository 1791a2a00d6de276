/** The list of deposits by its cursor: while newer ones arrive, none comes twice and none is missing. */
import type { Deployment } from '@orrery/contracts';
import { accountId, type Address, assetId, millis } from '@orrery/units';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { depositHandlers } from './deposits.ts';
import { type IndexerTables, migrations } from './index.ts';
import { ListedTokens } from './listed-tokens.ts';

const TOKEN: Address = `0x${'1'.repeat(40)}` as Address;
const ALICE: Address = `0x${'a'.repeat(40)}` as Address;
const DEPOSITS = 20;
const PAGE_SIZE = 10;

let db: Database<IndexerTables>;
beforeAll(async () => {
  db = await temporaryDatabase<IndexerTables>(migrations);
});
afterAll(() => db.close());

/** Three deposits in each block, and two blocks in each second. */
async function deposit(n: number): Promise<void> {
  const block = Math.floor(n / 3);
  const row = { number: block, hash: `0x${block}`, parent_hash: '0x', time: Math.floor(block / 2) * 1_000 };
  await db.sql
    .insertInto('indexer_block')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const txHash = `0x${String(n).padStart(64, '0')}`;
  const place = { block_number: block, tx_hash: txHash, log_index: n % 3 };
  await db.sql
    .insertInto('indexer_deposit')
    .values({ ...place, key: `1:${txHash}:${n % 3}`, address: ALICE, token: TOKEN, amount: '1', state: 'credited' })
    .execute();
}

test('pages by the cursor have each deposit once while newer ones arrive', async () => {
  const wrappedNative = `0x${'2'.repeat(40)}` as Address;
  const tokenList = [{ code: 'USDC', address: TOKEN, decimals: 6 }];
  const deployment = { vault: TOKEN, chainId: 1, tokens: tokenList, wrappedNative } as unknown as Deployment;
  const tokens = new ListedTokens(deployment, [{ type: 'AssetRegistered', asset: assetId(1), code: 'USDC', decimals: 6, kind: 'chain' }]);
  const { deposits } = depositHandlers({ sql: db.sql, tokens, required: 1, deployment });
  const principal = {
    account: accountId(1),
    address: ALICE,
    via: 'session',
    credential: '',
    permission: 'READ',
    tier: 'standard',
    endsAt: millis(0),
  } as const;
  let newest = 0;
  while (newest < DEPOSITS) await deposit(++newest);
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const query = { pageSize: PAGE_SIZE, ...(next === null ? {} : { id: next }) } as const;
    const page = await deposits({ principal, query, body: undefined, caller: undefined as never });
    seen.push(...page.list.map(({ txHash }) => txHash));
    for (let more = 0; more < 5; more++) await deposit(++newest);
    ({ next } = page);
  } while (next !== null);
  expect(seen).toEqual(Array.from({ length: DEPOSITS }, (_, index) => `0x${String(DEPOSITS - index).padStart(64, '0')}`));
  // A cursor that nobody was given is one too, of whatever numbers.
  const most = Number.MAX_SAFE_INTEGER;
  const beyond = { pageSize: PAGE_SIZE, id: `${most}:${most}:${most}:0x` } as const;
  expect((await deposits({ principal, query: beyond, body: undefined, caller: undefined as never })).list).toHaveLength(PAGE_SIZE);
});
