import { exchangeVaultAbi, faucetAbi, TEST_ASSETS } from '@orrery/contracts';
import { assetId, atoms } from '@orrery/units';
import { encodeFunctionData, type PublicClient } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lowerCase } from './chain-block.ts';
import { claimKey } from './claims.ts';
import type { Indexer } from './indexer.ts';
import { alice, bob, deployer, openDatabase, type Person, USDC, World, eventually } from './testing/world.ts';

const CLAIM = assetId(8);

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db);
  await world.heart.submit({ type: 'FundBudget', key: 'today', budget: 'faucet', asset: CLAIM, amount: atoms(100n) });
});

afterEach(() => world.close());

afterAll(() => db.close());

async function reserve(who: Person, claimId: string): Promise<void> {
  await world.heart.submit({ type: 'OpenAccount', address: who.address });
  const account = world.accountOf(who)!;
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'whitelisted', value: true });
  const { events } = await world.heart.submit({ type: 'ReserveFaucetClaim', account, claimId });
  expect(events).toContainEqual({ type: 'FaucetClaimReserved', account, claimId });
}

const outcomes = () => eventually(() => world.events('FaucetClaimSettled').map(({ claimId, outcome }) => `${claimId} ${outcome}`));
const claims = () =>
  world.client.getContractEvents({ address: world.deployment.faucet, abi: faucetAbi, eventName: 'Claimed', fromBlock: 0n });

test('[T9] F1: a reserved claim is paid by one chain transaction, and is claimed only when that is final', async () => {
  const indexer = world.startIndexer({ confirmations: 4 });
  const before = await world.client.getBalance({ address: alice.account.address });
  expect(await indexer.claimProgress('one')).toBeUndefined();
  await reserve(alice, 'one');
  await eventually(() => claims()).toHaveLength(1);
  const [claim] = await claims();
  await eventually(() => indexer.claimProgress('one')).toEqual({ state: 'sent', txHash: claim?.transactionHash });
  expect(world.events('FaucetClaimSettled')).toEqual([]);
  await world.mine(4);
  await outcomes().toEqual(['one paid']);
  await eventually(() => indexer.claimProgress('one')).toEqual({ state: 'paid', txHash: claim?.transactionHash });
  for (const { code, faucetGrant } of TEST_ASSETS) {
    await eventually(() => world.funding(alice, assetId(1 + TEST_ASSETS.findIndex((asset) => asset.code === code))).free).toBe(faucetGrant);
  }
  expect((await world.client.getBalance({ address: alice.account.address })) - before).toBe(10n ** 17n);
  const receipt = await world.client.getTransactionReceipt({ hash: claim!.transactionHash });
  expect(receipt.gasUsed).toBeLessThan(1_200_000n);
});

/** A change of the faucet's limits is an alarm. */
async function clearAlarm(indexer: Indexer, alarm: RegExp): Promise<void> {
  await eventually(() => indexer.unready()).toMatch(alarm);
  await indexer.clearHalt(indexer.unready());
}

test('F1: a claim that the chain refuses fails, and returns to the budget', async () => {
  await world.send(deployer, {
    to: world.deployment.faucet,
    data: encodeFunctionData({ abi: faucetAbi, functionName: 'setDailyClaims', args: [0n] }),
  });
  const indexer = world.startIndexer();
  await clearAlarm(indexer, /^the faucet set its claims to 0 a day/);
  await reserve(alice, 'refused');
  await outcomes().toEqual(['refused failed']);
  await eventually(async () => (await indexer.claimProgress('refused'))?.state).toBe('failed');
  expect(world.funding(alice, USDC).free).toBe(0n);
  await world.send(deployer, {
    to: world.deployment.faucet,
    data: encodeFunctionData({ abi: faucetAbi, functionName: 'setDailyClaims', args: [10n] }),
  });
  await clearAlarm(indexer, /^the faucet set its claims to 10 a day/);
  await reserve(alice, 'again');
  await outcomes().toEqual(['refused failed', 'again paid']);
});

test('F1: between sending and hearing, a program that dies claims once', async () => {
  let lost = 0;
  const sendRawTransaction = async (call: Parameters<PublicClient['sendRawTransaction']>[0]) => {
    lost += 1;
    if (lost === 2) await world.client.sendRawTransaction(call);
    throw new Error('the answer was lost');
  };
  world.startIndexer({ client: { ...world.client, sendRawTransaction } });
  await reserve(alice, 'lost');
  await eventually(() => lost).toBe(1);
  await world.stopIndexer();
  world.startIndexer({ client: { ...world.client, sendRawTransaction }, now: () => Date.now() + 20_000 });
  await eventually(() => lost).toBe(2);
  await world.stopIndexer();
  world.startIndexer();
  await outcomes().toEqual(['lost paid']);
  expect(await claims()).toHaveLength(1);
  expect(
    await world.client.readContract({
      address: world.deployment.faucet,
      abi: faucetAbi,
      functionName: 'claimed',
      args: [claimKey('lost')],
    }),
  ).toBe(true);
});

test('D2, F1: a claim that the chain took back after it was final is sent again, and money moves again', { timeout: 120_000 }, async () => {
  const indexer = world.startIndexer({ confirmations: 4 });
  await reserve(alice, 'back');
  await eventually(() => claims()).toHaveLength(1);
  await world.mine(5);
  await outcomes().toEqual(['back paid']);
  await eventually(() => world.events('DepositCredited').length).toBe(TEST_ASSETS.length);
  await world.reorg(6);
  await eventually(() => indexer.unready()).toMatch(/took back 6 blocks/);
  // The node dropped it, and only the exchange can send it again.
  await eventually(() => claims()).toHaveLength(1);
  await world.mine(10);
  await eventually(() => indexer.unready()).toBeUndefined();
  expect(world.events('DepositSuspended')).toHaveLength(TEST_ASSETS.length);
  // Each once, and once more when it left suspense.
  expect(world.events('DepositCredited')).toHaveLength(2 * TEST_ASSETS.length);
  expect(world.funding(alice, USDC).free).toBeGreaterThan(0n);
});

test('F1: many claims at once are each paid once, beside withdrawals, by one row of nonces', async () => {
  world.startIndexer();
  await world.deposit(alice, 1000n);
  await eventually(() => world.funding(alice, USDC).free).toBe(1000n);
  for (let index = 0; index < 20; index += 1) {
    await reserve({ ...bob, address: lowerCase(`0x${(index + 1).toString(16).padStart(40, 'c')}`) }, `many-${index}`);
    if (index % 4 === 0) await world.withdraw(alice, { asset: USDC, amount: 1n, name: `beside-${index}` });
  }
  await eventually(() => world.events('FaucetClaimSettled').filter(({ outcome }) => outcome === 'paid').length).toBe(20);
  await eventually(() => world.events('WithdrawalPosted').length).toBe(5);
  expect(new Set((await claims()).map(({ args }) => args.account)).size).toBe(20);
  expect(await world.client.readContract({ address: world.deployment.vault, abi: exchangeVaultAbi, functionName: 'userCount' })).toBe(21n);
});

test("[T9] a claim made the second the ledger allows it waits for the chain's own day to end", async () => {
  let now = Date.now();
  world.startIndexer({ now: () => now });
  await reserve(alice, 'today');
  await outcomes().toEqual(['today paid']);
  const claimableAt =
    Number(
      await world.client.readContract({
        address: world.deployment.faucet,
        abi: faucetAbi,
        functionName: 'claimableAt',
        args: [alice.account.address],
      }),
    ) * 1000;
  now = claimableAt - 60_000;
  // The ledger's day has ended already; the chain's has not.
  world.clock.now = () => claimableAt + 120_000;
  await reserve(alice, 'tomorrow');
  await eventually(
    async () =>
      (await db.sql.selectFrom('indexer_parcel').select('not_before').where('reference', '=', 'tomorrow').executeTakeFirst())?.not_before,
  ).toBe(claimableAt);
  expect(await claims()).toHaveLength(1);
  await world.rpc('evm_setNextBlockTimestamp', [claimableAt / 1000]);
  await world.mine();
  now = claimableAt;
  await outcomes().toEqual(['today paid', 'tomorrow paid']);
});
