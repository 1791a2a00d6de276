/** A vault with a dispute delay: a withdrawal is requested, can be cancelled, and is paid afterwards, once. */
import { exchangeVaultAbi, withdrawalTypedData } from '@orrery/contracts';
import { encodeFunctionData, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Crash } from './testing/crash.ts';
import { alice, bob, deployer, openDatabase, operator, USDC, World, eventually } from './testing/world.ts';

const DELAY_SECONDS = 120;
/** Payable for longer than the time that the test lets pass. */
const PATIENT_SECONDS = 10_000_000;

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db, { disputeSeconds: DELAY_SECONDS });
  world.startIndexer();
  await world.deposit(alice, 1_000_000_000n);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
});

afterEach(() => world.close());

afterAll(() => db.close());

const vault = () => ({ address: world.deployment.vault, abi: exchangeVaultAbi }) as const;
const releases = async () => world.client.getContractEvents({ ...vault(), eventName: 'Released', fromBlock: 0n });
const requests = async () => world.client.getContractEvents({ ...vault(), eventName: 'Requested', fromBlock: 0n });
const posted = () => eventually(() => world.events('WithdrawalPosted').length);

test('a withdrawal is requested first, and paid only when the dispute delay is over', async () => {
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'first' });
  await eventually(async () => (await requests()).length).toBe(1);
  await world.passTime(DELAY_SECONDS / 2);
  await world.caughtUp();
  expect(await releases()).toEqual([]);
  expect(world.events('WithdrawalSent').length).toBe(1);
  await world.passTime(DELAY_SECONDS);
  await posted().toBe(1);
  const { timestamp } = await world.client.getBlock({ blockHash: (await releases())[0]!.blockHash });
  const [request] = await requests();
  expect(timestamp).toBeGreaterThanOrEqual(
    (await world.client.getBlock({ blockHash: request!.blockHash })).timestamp + BigInt(DELAY_SECONDS),
  );
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('a withdrawal that a pauser cancels within the delay is not paid, and is refunded', async () => {
  await world.stopIndexer();
  world.startIndexer({ payableSeconds: 600 });
  const id = await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'disputed' });
  await eventually(async () => (await requests()).length).toBe(1);
  await world.send(deployer, {
    to: world.deployment.vault,
    data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'cancel', args: [id] }),
  });
  await world.passTime(DELAY_SECONDS + 1);
  await world.caughtUp();
  expect(await releases()).toEqual([]);
  await world.passTime(600);
  await eventually(() => world.events('WithdrawalRefunded').length).toBe(1);
  expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n, held: 0n });
  expect(await releases()).toEqual([]);
});

test('a request that the ledger never made is an alarm before anything is paid', async () => {
  await world.stopIndexer();
  const indexer = world.startIndexer();
  const { chainId, vault: address } = world.deployment;
  const withdrawal = {
    id: keccak256(toHex('theft')),
    token: world.token('USDC'),
    to: bob.account.address,
    amount: 9n,
    deadline: 2n ** 200n,
  };
  const signature = await operator.account.signTypedData(withdrawalTypedData({ chainId, vault: address, withdrawal }));
  const call = (functionName: 'request' | 'release') =>
    encodeFunctionData({ abi: exchangeVaultAbi, functionName, args: [withdrawal, signature] });
  await world.send(operator, { to: address, data: call('request') });
  await eventually(() => indexer.unready()).toMatch(/^the vault was requested to release 0\.000009 USDC to 0x/);
  expect(await releases()).toEqual([]);
  const cancel = encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'cancel', args: [withdrawal.id] });
  await world.send(deployer, { to: address, data: cancel });
  await world.passTime(DELAY_SECONDS);
  await world.send(operator, { to: address, data: call('release') });
  expect(await releases()).toEqual([]);
});

test('a request whose block goes away is made again, and the withdrawal is paid once', async () => {
  await world.stopIndexer();
  world.startIndexer({ confirmations: 4 });
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'reorganised' });
  await eventually(async () => (await requests()).length).toBe(1);
  await world.caughtUp();
  await world.reorg(1);
  await eventually(async () => (await requests()).length).toBe(1);
  await world.mine(6);
  await world.passTime(DELAY_SECONDS + 1);
  await eventually(async () => (await releases()).length).toBe(1);
  await world.mine(6);
  await posted().toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test(
  'cut off at any statement, command or call between request and release, a withdrawal is paid exactly once',
  { timeout: 240_000 },
  async () => {
    const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const rounds = 8;
    for (let round = 0; round < rounds; round += 1) {
      await world.stopIndexer();
      await world.withdraw(alice, { asset: USDC, amount: 10n, to: bob.address, name: `cut ${round}` });
      for (let cut = 0; cut < 4; cut += 1) {
        const crash = new Crash(1 + (((seed + round * 37 + cut * 53) * 7919) % 110));
        world.startIndexer({ ...crash.around(world), payableSeconds: PATIENT_SECONDS });
        await eventually(() => crash.happened || world.events('WithdrawalPosted').length > round).toBe(true);
        await world.stopIndexer();
        await world.passTime(DELAY_SECONDS / 2);
      }
      world.startIndexer({ now: () => Date.now() + 15_000, payableSeconds: PATIENT_SECONDS });
      await eventually(async () => {
        await world.passTime(DELAY_SECONDS);
        return world.events('WithdrawalPosted').length;
      }).toBe(round + 1);
    }
    expect(await world.balanceOf('USDC', bob.account.address)).toBe(BigInt(rounds) * 10n);
    expect((await releases()).length).toBe(rounds);
    expect(world.events('WithdrawalRefunded')).toEqual([]);
  },
);

test('a vault that an earlier version deployed has no delay recorded, and pays at once', async () => {
  await world.close();
  world = await World.open(db);
  const { disputeSeconds: _absent, ...deployment } = world.deployment;
  world.startIndexer({ deployment });
  await world.deposit(alice, 1_000n);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'old vault' });
  await posted().toBe(1);
  expect(await requests()).toEqual([]);
});
