/** A hostile holder of the keys on the chain: what is done there without the ledger halts money until a person has looked. */
import { exchangeVaultAbi, testTokenAbi, withdrawalTypedData } from '@orrery/contracts';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Indexer } from './indexer.ts';
import { alice, bob, deployer, openDatabase, operator, USDC, World, eventually } from './testing/world.ts';

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;
let indexer: Indexer;
let now: number;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  now = Date.now();
  world = await World.open(db);
  start();
  await world.deposit(alice, 1_000_000_000n);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
});

afterEach(() => world.close());

afterAll(() => db.close());

function start(): void {
  indexer = world.startIndexer({ now: () => now });
}

async function restart(): Promise<void> {
  await world.stopIndexer();
  start();
}

/** The solvency check waits for its time. */
const alarm = () =>
  eventually(() => {
    now += 20_000;
    return indexer.unready() ?? '';
  });
const usdc = () =>
  eventually(() => {
    now += 20_000;
    return indexer.solvency().find(({ coin }) => coin === 'USDC');
  });

const vaultCall = (who: typeof deployer, data: Hex) => world.send(who, { to: world.deployment.vault, data });

/** Who holds the operator's key pays itself. */
async function steal(amount: bigint, name = 'theft'): Promise<Hex> {
  const id = keccak256(toHex(name));
  const { chainId, vault } = world.deployment;
  const withdrawal = { id, token: world.token('USDC'), to: bob.account.address, amount, deadline: 10n ** 12n };
  const signature = await operator.account.signTypedData(withdrawalTypedData({ chainId, vault, withdrawal }));
  await vaultCall(operator, encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'release', args: [withdrawal, signature] }));
  return id;
}

/** Nothing is paid during an alarm, and everything after a person has ended it. */
async function expectHalted(): Promise<void> {
  await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'during the alarm' });
  await world.deposit(bob, 7n);
  await world.mine(3);
  await world.caughtUp();
  const reason = indexer.unready();
  expect(reason).toBeDefined();
  await restart();
  await alarm().toBe(reason);
  expect(world.events('WithdrawalSent')).toEqual([]);
  expect(world.events('DepositCredited').length).toBe(1);
}

test('a release that the ledger never requested is an alarm, and shows in the solvency as missing money', async () => {
  const id = await steal(18_000_000n);
  const sentence = new RegExp(`^the vault released 18 USDC to ${bob.address} in block \\d+, which the ledger did not request \\(${id}\\)$`);
  await alarm().toMatch(sentence);
  await usdc().toMatchObject({ unposted: 0n, unrequested: 18_000_000n, difference: -18_000_000n });
  await expectHalted();
});

test('caps and roles that are changed after the deployment are alarms that end together', async () => {
  const caps = [world.token('USDC'), { hourly: 10n ** 15n, daily: 10n ** 16n }] as const;
  await vaultCall(deployer, encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'setOutflowCaps', args: caps }));
  await alarm().toMatch(
    /^the vault set the caps of USDC to 1000000000000000 atoms an hour and 10000000000000000 atoms a day in block \d+$/,
  );
  const role = keccak256(toHex('OPERATOR_ROLE'));
  const grant = [role, bob.account.address] as const;
  await vaultCall(deployer, encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'grantRole', args: grant }));
  await world.send(deployer, {
    to: world.token('USDC'),
    data: encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'grantRole',
      args: [keccak256(toHex('MINTER_ROLE')), bob.account.address],
    }),
  });
  await alarm().toMatch(/, and 2 more alarms$/);
  const rows = await world.db.sql.selectFrom('indexer_halt').select('reason').orderBy('id').execute();
  expect(rows.map(({ reason }) => reason.replace(/ in block \d+$/, '')).slice(1)).toEqual([
    `the vault granted OPERATOR_ROLE to ${bob.account.address}`,
    `the token USDC granted MINTER_ROLE to ${bob.account.address}`,
  ]);
  await expectHalted();
  await indexer.clearHalt('the vault set the caps of USDC');
  await world.mine();
  await world.caughtUp();
  expect(indexer.unready()).toMatch(/, and 2 more alarms$/);
  await indexer.clearHalt(indexer.unready());
  await eventually(() => world.events('WithdrawalPosted').length).toBe(1);
  await eventually(() => world.events('DepositCredited').length).toBe(2);
  await restart();
  await eventually(() => indexer.unready()).toBeUndefined();
});

test('an alarm that is raised after the sentence was read does not end with it', async () => {
  await steal(1n);
  await alarm().toMatch(/^the vault released 0\.000001 USDC/);
  const read = indexer.unready();
  await steal(2n, 'second theft');
  await alarm().toMatch(/, and 1 more alarm$/);
  await indexer.clearHalt(read);
  await alarm().toMatch(/^the vault released 0\.000002 USDC .*\)$/);
  await world.mine();
  await world.caughtUp();
  expect(indexer.unready()).toMatch(/^the vault released 0\.000002 USDC .*\)$/);
});

test('tokens that leave the vault without an event are an alarm', async () => {
  await world.rpc('anvil_impersonateAccount', [world.deployment.vault]);
  await world.rpc('anvil_setBalance', [world.deployment.vault, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [bob.account.address, 4n] });
  await world.rpc('eth_sendTransaction', [{ from: world.deployment.vault, to: world.token('USDC'), data }]);
  await alarm().toMatch(/^the vault holds 0\.000004 USDC less at block \d+ than its deposits and releases account for$/);
  await expectHalted();
});

test('a node that reports the balance of another block than its head raises no alarm', async () => {
  const { readContract } = world.client;
  let isAhead = true;
  const client = {
    ...world.client,
    readContract: async (call: Parameters<typeof readContract>[0]) => {
      const result = await readContract(call);
      return isAhead && call.functionName === 'balanceOf' ? (result as bigint) - 5n : result;
    },
  } as typeof world.client;
  await world.stopIndexer();
  indexer = world.startIndexer({ now: () => now, client });
  await usdc().toMatchObject({ vault: 999_999_995n, difference: -5n });
  isAhead = false;
  await alarm().toBe('');
});

test('tokens sent to the vault without a deposit are a donation, and no alarm', async () => {
  const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [bob.account.address, 3n] });
  await world.send(deployer, { to: world.token('USDC'), data: mint });
  const transfer = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [world.deployment.vault, 3n] });
  await world.send(bob, { to: world.token('USDC'), data: transfer });
  await usdc().toMatchObject({ vault: 1_000_000_003n, donated: 3n, difference: 0n });
  expect(indexer.unready()).toBeUndefined();
  await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'after a donation' });
  await eventually(() => world.events('WithdrawalPosted').length).toBe(1);
});

test('a history that is read again from the beginning raises no alarm for its withdrawals', async () => {
  await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'honest' });
  await eventually(() => world.events('WithdrawalPosted').length).toBe(1);
  await world.stopIndexer();
  for (const table of ['indexer_payout', 'indexer_credit', 'indexer_offset', 'indexer_block'] as const) {
    await world.db.sql.deleteFrom(table).execute();
  }
  start();
  await usdc().toMatchObject({ unrequested: 0n, difference: 0n });
  expect(await world.db.sql.selectFrom('indexer_halt').selectAll().execute()).toEqual([]);
});
