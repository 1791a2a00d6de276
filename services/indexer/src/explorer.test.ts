import type { explorerRoutes, Handler, Principal, Route } from '@orrery/api';
import { faucetAbi } from '@orrery/contracts';
import { assetId, atoms, millis } from '@orrery/units';
import type { Hash, PublicClient } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { explorerHandlers } from './explorer.ts';
import type { Indexer } from './indexer.ts';
import { ListedTokens } from './listed-tokens.ts';
import { alice, bob, deployer, openDatabase, type Person, USDC, World } from './testing/world.ts';

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;
let indexer: Indexer;
let deposit: Hash;

beforeAll(async () => {
  db = await openDatabase();
  world = await World.open(db);
  indexer = world.startIndexer();
  deposit = await world.deposit(alice, 12_500_000n);
  await vi.waitUntil(() => world.events('DepositCredited').length === 1, { timeout: 30_000 });
});

afterAll(async () => {
  await world.close();
  await db.close();
});

const ask = <R extends Route>(handler: Handler<R>, query: unknown) =>
  Promise.resolve(handler({ query, body: undefined, principal: undefined, caller: undefined } as unknown as Parameters<Handler<R>>[0]));
const transaction = (hash: string) => ask<typeof explorerRoutes.chainTransaction>(indexer.handlers.explorer.chainTransaction, { hash });
async function mined(hash: Promise<Hash>): Promise<Hash> {
  return (await world.client.waitForTransactionReceipt({ hash: await hash })).transactionHash;
}

const transactions = (query: { address?: string; block?: number; page?: number; pageSize?: number }) =>
  ask<typeof explorerRoutes.chainTransactions>(indexer.handlers.explorer.chainTransactions, query);
const block = (query: { number?: number }) => ask<typeof explorerRoutes.chainBlock>(indexer.handlers.explorer.chainBlock, query);

test('[C9, R1] a transaction is shown with its block, people, status, gas and decoded logs', async () => {
  const shown = await transaction(deposit);
  const receipt = await world.client.getTransactionReceipt({ hash: deposit });
  const { timestamp } = await world.client.getBlock({ blockHash: receipt.blockHash });
  expect(shown).toMatchObject({
    txHash: deposit,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockTime: Number(timestamp),
    from: alice.account.address.toLowerCase(),
    to: world.deployment.vault.toLowerCase(),
    createdContract: null,
    value: '0',
    status: 'success',
    method: 'depositERC20',
    transactionIndex: 0,
    gasUsed: String(receipt.gasUsed),
  });
  expect(shown.confirmations).toBeGreaterThanOrEqual(1);
  expect(Number(shown.fee)).toBeGreaterThan(0);
  expect(shown.logs.map(({ contract, name }) => `${contract}.${name}`)).toEqual([
    'USDC.Transfer',
    'ExchangeVault.UserCreated',
    'ExchangeVault.Deposited',
  ]);
  expect(shown.logs[2]?.arguments).toEqual([
    { name: 'userId', type: 'uint64', value: '1' },
    { name: 'account', type: 'address', value: alice.account.address },
    { name: 'token', type: 'address', value: world.token('USDC') },
    { name: 'payer', type: 'address', value: alice.account.address },
    { name: 'amount', type: 'uint256', value: '12500000' },
  ]);
});

test('[C9] a plain payment, a failed transaction, a creation and a pending one are shown as what they are', async () => {
  const payment = await mined(world.send(bob, { to: deployer.account.address, value: 1_500_000_000_000_000_000n }));
  expect(await transaction(payment)).toMatchObject({ status: 'success', value: '1.5', method: null, logs: [] });
  const failed = await mined(world.send(bob, { to: world.deployment.vault, data: '0x12345678' }));
  expect(await transaction(failed)).toMatchObject({ status: 'failed', method: null });
  const {
    transactions: [creation],
  } = await world.client.getBlock({ blockNumber: 1n });
  expect(await transaction(creation!)).toMatchObject({
    to: null,
    createdContract: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    status: 'success',
  });
  await world.rpc('evm_setAutomine', [false]);
  const waiting = await world.send(bob, { to: deployer.account.address, value: 1n });
  expect(await transaction(waiting)).toMatchObject({ status: 'pending', blockNumber: null, confirmations: 0, gasUsed: null });
  await world.rpc('evm_setAutomine', [true]);
  await world.mine();
});

test('[C9] what does not exist is not found, by name, and a chain that is down is reported as such', async () => {
  await expect(transaction(`0x${'7'.repeat(64)}`)).rejects.toMatchObject({ data: { reason: 'UnknownThing', field: 'hash' } });
  await expect(block({ number: 1_000_000 })).rejects.toMatchObject({ data: { reason: 'UnknownThing', field: 'number' } });
  await world.stopIndexer();
  const down = () => Promise.reject(new Error('down'));
  const client = { ...world.client, getTransaction: down, getBlock: down } as unknown as PublicClient;
  indexer = world.startIndexer({ client });
  await expect(transaction(deposit)).rejects.toMatchObject({ data: { reason: 'Upstream' } });
  await world.stopIndexer();
  indexer = world.startIndexer();
});

test('[R3] a block is found by its number, and the newest without one', async () => {
  const receipt = await world.client.getTransactionReceipt({ hash: deposit });
  expect(await block({ number: Number(receipt.blockNumber) })).toMatchObject({ hash: receipt.blockHash, transactions: [deposit] });
  expect((await block({})).number).toBe(Number(await world.client.getBlockNumber()));
});

test('[R3] the transactions of an address, newest first, are what it sent, what it got, and deposits for it', async () => {
  await world.caughtUp();
  const { list, total } = await transactions({ address: alice.account.address });
  expect(list[0]).toMatchObject({
    txHash: deposit,
    from: alice.address,
    to: world.deployment.vault.toLowerCase(),
    value: '0',
    status: 'success',
  });
  expect(total).toBe(2);
  const everything = await transactions({ pageSize: 20 });
  expect(everything.total).toBeGreaterThan(20);
  expect(everything.list).toHaveLength(20);
  const second = await transactions({ page: 2, pageSize: 20 });
  expect(second.list[0]?.blockNumber).toBeLessThanOrEqual(everything.list[19]!.blockNumber);
});

test('[C9] a line of a transaction names the function of ours that it calls, and a block lists its own', async () => {
  await world.caughtUp();
  const { blockNumber } = await transaction(deposit);
  const { list, total } = await transactions({ block: blockNumber! });
  expect([total, list.map(({ txHash, method }) => `${txHash} ${method}`)]).toEqual([1, [`${deposit} depositERC20`]]);
  const payment = await mined(world.send(bob, { to: deployer.account.address, value: 1n }));
  await world.caughtUp();
  const { list: ofBob } = await transactions({ address: bob.account.address });
  expect(ofBob.find(({ txHash }) => txHash === payment)).toMatchObject({ method: null });
});

test('[C9] the newest blocks come with how many transactions they hold', async () => {
  await world.caughtUp();
  const { blockNumber } = await transaction(deposit);
  const blocks = await ask<typeof explorerRoutes.chainBlocks>(indexer.handlers.explorer.chainBlocks, { size: 50 });
  expect(blocks[0]?.number).toBe(Number(await world.client.getBlockNumber()));
  expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, at) => blocks[0]!.number - at));
  expect(blocks.find(({ number }) => number === blockNumber)).toMatchObject({ transactions: 1, lucky: false });
  expect(await ask<typeof explorerRoutes.chainBlocks>(indexer.handlers.explorer.chainBlocks, { size: 2 })).toHaveLength(2);
});

test('[C6, C9] the trading contracts are listed with their tokens', async () => {
  const contracts = await ask<typeof explorerRoutes.contracts>(indexer.handlers.explorer.contracts, {});
  expect(contracts).toMatchObject({ chainId: 138565, exchange: world.deployment.vault, faucet: world.deployment.faucet, confirmations: 1 });
  expect(contracts.tokens.map(({ coin, decimals, native }) => `${coin} ${decimals} ${native}`)).toEqual([
    'USDC 6 false',
    'BTC 8 false',
    'ETH 18 false',
    'SOL 9 false',
    'BNB 18 false',
    'WSOSO 18 true',
  ]);
});

test('[T10] a block and its first transaction are marked as lucky by the hash of the block, the second is not', async () => {
  const receipt = await world.client.getTransactionReceipt({ hash: deposit });
  const marksWith = async (change: { blockHash: Hash; transactionIndex?: number }) => {
    const client = {
      ...world.client,
      getBlock: async () => ({ ...(await world.client.getBlock({ blockHash: receipt.blockHash })), hash: change.blockHash }),
      getTransactionReceipt: () => Promise.resolve({ ...receipt, ...change }),
    } as unknown as PublicClient;
    const { deployment } = world;
    const tokens = new ListedTokens(deployment, []);
    const handlers = explorerHandlers({ sql: db.sql, client, deployment, tokens, required: 1, solvency: () => [] });
    const shownBlock = await ask<typeof explorerRoutes.chainBlock>(handlers.chainBlock, {});
    const shown = await ask<typeof explorerRoutes.chainTransaction>(handlers.chainTransaction, { hash: deposit });
    return [shownBlock.lucky, shown.lucky];
  };
  const ending = 'c'.repeat(60);
  expect(await marksWith({ blockHash: `0x9999${ending}` })).toEqual([true, true]);
  expect(await marksWith({ blockHash: `0x9999${ending}`, transactionIndex: 1 })).toEqual([true, false]);
  expect(await marksWith({ blockHash: `0xaaaa${ending}` })).toEqual([false, false]);
});

test('[R1] deposits, claims and withdrawals of a transaction are shown to their owner, with the reference of the bill, and to nobody else', async () => {
  const principalOf = (who: Person): Principal => {
    const account = world.accountOf(who);
    if (account === undefined) throw new Error('no account');
    return { account, address: who.address, via: 'session', credential: 'test', permission: 'READ', tier: 'standard', endsAt: millis(0) };
  };
  const records = async (who: Person, hash: string) =>
    indexer.handlers.explorer.chainRecords({ principal: principalOf(who), query: { hash }, body: undefined, caller: undefined as never });
  await world.heart.submit({ type: 'OpenAccount', address: bob.address });
  await world.heart.submit({ type: 'SetAccountFlag', account: principalOf(bob).account, flag: 'whitelisted', value: true });
  const [deposited] = world.events('DepositCredited');
  expect(await records(alice, deposit)).toEqual([{ kind: 'DEPOSIT', coin: 'USDC', amount: '12.5', reference: deposited?.key }]);
  expect(await records(alice, deposit.toUpperCase().replace('0X', '0x'))).toHaveLength(1);
  expect(await records(bob, deposit)).toEqual([]);

  const withdrawalId = await world.withdraw(alice, { asset: USDC, amount: 2_500_000n, name: 'shown' });
  await vi.waitUntil(() => world.events('WithdrawalPosted').length === 1, { timeout: 30_000 });
  const release = await db.sql
    .selectFrom('indexer_release')
    .select('tx_hash')
    .where('withdrawal_id', '=', withdrawalId)
    .executeTakeFirstOrThrow();
  const withdrawn = { kind: 'WITHDRAW', coin: 'USDC', amount: '2.5', reference: withdrawalId };
  await expect.poll(() => records(alice, release.tx_hash)).toEqual([withdrawn]);
  expect(await records(bob, release.tx_hash)).toEqual([]);

  await world.heart.submit({ type: 'FundBudget', key: 'today', budget: 'faucet', asset: assetId(8), amount: atoms(1n) });
  await world.heart.submit({ type: 'ReserveFaucetClaim', account: principalOf(bob).account, claimId: 'shown' });
  await vi.waitUntil(() => world.events('FaucetClaimSettled').length === 1, { timeout: 30_000 });
  const [claim] = await world.client.getContractEvents({
    address: world.deployment.faucet,
    abi: faucetAbi,
    eventName: 'Claimed',
    fromBlock: 0n,
  });
  await expect
    .poll(async () => (await records(bob, claim!.transactionHash)).map(({ kind, coin }) => `${kind} ${coin}`))
    .toContain('CLAIM USDC');
  expect(await records(alice, claim!.transactionHash)).toEqual([]);
});
