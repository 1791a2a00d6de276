import { exchangeVaultAbi, testTokenAbi } from '@orrery/contracts';
import { encodeFunctionData, type Hex, keccak256, parseTransaction, type PublicClient } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lowerCase } from './chain-block.ts';
import { Crash } from './testing/crash.ts';
import { alice, bob, deployer, operator, SOSO, USDC, World, openDatabase, eventually } from './testing/world.ts';

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db);
  world.startIndexer();
  await world.deposit(alice, 1_000_000_000n);
  await world.depositNative(alice, 10n ** 19n);
  await eventually(() => world.events('DepositCredited').length).toBe(2);
});

afterEach(() => world.close());

afterAll(() => db.close());

const posted = () => eventually(() => world.events('WithdrawalPosted').length);
const refunded = () => eventually(() => world.events('WithdrawalRefunded').length);
const vault = () => ({ address: world.deployment.vault, abi: exchangeVaultAbi }) as const;
const releases = async () => world.client.getContractEvents({ ...vault(), eventName: 'Released', fromBlock: 0n });

test('[C6] D4: a withdrawal goes held, sent, posted, and arrives', async () => {
  const id = await world.withdraw(alice, { asset: USDC, amount: 25_000_000n, to: bob.address, name: 'first' });
  expect(world.funding(alice, USDC)).toEqual({ free: 975_000_000n, held: 25_000_000n });
  await posted().toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(25_000_000n);
  expect(world.funding(alice, USDC)).toEqual({ free: 975_000_000n, held: 0n });
  const [sent] = world.events('WithdrawalSent');
  expect(world.events('WithdrawalPosted')[0]).toMatchObject({ withdrawalId: id, txHash: sent?.txHash });
  expect((await world.client.getTransactionReceipt({ hash: sent?.txHash as Hex })).status).toBe('success');
});

test("[C6] D4: SOSO is paid in the chain's own coin", async () => {
  const before = await world.client.getBalance({ address: bob.account.address });
  await world.withdraw(alice, { asset: SOSO, amount: 3n * 10n ** 18n, to: bob.address, name: 'native' });
  await posted().toBe(1);
  expect((await world.client.getBalance({ address: bob.account.address })) - before).toBe(3n * 10n ** 18n);
});

test('D4: what the vault would never pay is refunded at once, without a signature', async () => {
  const { vault: vaultAddress } = world.deployment;
  const to = [
    vaultAddress,
    world.token('USDC'),
    '0x0000000000000000000000000000000000000000',
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  ];
  for (const [index, address] of to.entries()) {
    await world.withdraw(alice, { asset: USDC, amount: 5n, to: lowerCase(address), name: `refused ${index}` });
  }
  await refunded().toBe(4);
  expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n, held: 0n });
  expect(world.events('WithdrawalSent')).toEqual([]);
  expect(await releases()).toEqual([]);
});

test('D4, D5: a withdrawal that the hour has no room for waits, and does not hold up the others', async () => {
  await world.stopIndexer();
  const indexer = world.startIndexer();
  await world.send(deployer, {
    to: world.deployment.vault,
    data: encodeFunctionData({
      abi: exchangeVaultAbi,
      functionName: 'setOutflowCaps',
      args: [world.token('USDC'), { hourly: 10n, daily: 1000n }],
    }),
  });
  // A change of caps is an alarm.
  await eventually(() => indexer.unready()).toMatch(/^the vault set the caps of USDC/);
  await indexer.clearHalt(indexer.unready());
  await world.withdraw(alice, { asset: USDC, amount: 8n, name: 'takes the hour' });
  await posted().toBe(1);
  await world.withdraw(alice, { asset: USDC, amount: 9n, name: 'waits' });
  await world.withdraw(alice, { asset: USDC, amount: 2n, name: 'fits' });
  await posted().toBe(2);
  expect(world.funding(alice, USDC).held).toBe(9n);
  await world.passTime(3601);
  await eventually(() => world.events('WithdrawalPosted').length + world.events('WithdrawalRefunded').length).toBe(3);
});

test('D4: a paused vault pays nothing; what expires is refunded only after its deadline is final', async () => {
  await world.stopIndexer();
  world.startIndexer({ payableSeconds: 600 });
  const pause = (functionName: 'pause' | 'unpause') =>
    world.send(deployer, { to: world.deployment.vault, data: encodeFunctionData({ abi: exchangeVaultAbi, functionName }) });
  await pause('pause');
  await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'expires' });
  await eventually(
    async () => (await world.db.sql.selectFrom('indexer_payout').select('deadline').executeTakeFirst())?.deadline ?? 0,
  ).toBeGreaterThan(0);
  await world.passTime(500);
  await world.caughtUp();
  expect(world.events('WithdrawalRefunded')).toEqual([]);
  await world.passTime(200);
  await refunded().toBe(1);
  await pause('unpause');
  await world.withdraw(alice, { asset: USDC, amount: 6n, name: 'goes' });
  await posted().toBe(1);
  expect(world.funding(alice, USDC)).toEqual({ free: 999_999_994n, held: 0n });
});

test('D4: who sends our signed withdrawal before us changes nothing', async () => {
  let held: Hex | undefined;
  const client: PublicClient = {
    ...world.client,
    sendRawTransaction: ({ serializedTransaction }) => {
      held = serializedTransaction;
      return Promise.reject(new Error('lost on the way'));
    },
  };
  await world.stopIndexer();
  world.startIndexer({ client });
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'front run' });
  await eventually(() => held).toBeDefined();
  const parcel = await world.db.sql.selectFrom('indexer_parcel').select('data').executeTakeFirstOrThrow();
  await world.send(bob, { to: world.deployment.vault, data: parcel.data as Hex });
  await posted().toBe(1);
  expect(world.funding(alice, USDC).held).toBe(0n);
  // Ours is mined too, in the end, and is refused by the vault.
  await world.stopIndexer();
  world.startIndexer();
  await world.rpc('eth_sendRawTransaction', [held]);
  await eventually(async () => await world.db.sql.selectFrom('indexer_parcel').select('state').execute()).toEqual([{ state: 'failed' }]);
  expect((await releases()).length).toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('D4: a nonce that another program used is replaced, and the withdrawal still paid once', async () => {
  const client = { ...world.client, sendRawTransaction: () => Promise.reject(new Error('lost on the way')) } as PublicClient;
  await world.stopIndexer();
  world.startIndexer({ client });
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'nonce' });
  await eventually(() => world.events('WithdrawalSent').length).toBe(1);
  await world.stopIndexer();
  await world.send(operator, { to: bob.account.address, value: 1n });
  world.startIndexer();
  await posted().toBe(1);
  expect(world.events('WithdrawalSent').length).toBe(2);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('D4: a transaction stuck below the base fee is sent again with a higher one under its nonce', async () => {
  let now = Date.now();
  await world.stopIndexer();
  world.startIndexer({ now: () => now });
  await world.rpc('evm_setAutomine', [false]);
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'stuck' });
  await eventually(() => world.events('WithdrawalSent').length).toBe(1);
  await world.rpc('anvil_setNextBlockBaseFeePerGas', ['0x174876e800']);
  await world.mine();
  now += 120_000;
  await eventually(() => world.events('WithdrawalSent').length).toBe(2);
  await world.rpc('evm_setAutomine', [true]);
  await world.mine(3);
  await posted().toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
  expect((await world.db.sql.selectFrom('indexer_parcel').select('hashes').executeTakeFirstOrThrow()).hashes.length).toBe(2);
});

/** A node as public chains have them: it replaces what pays a tenth more in both fees, and mines what tips enough. */
class StrictNode {
  readonly refusals: string[] = [];
  /** By nonce. */
  readonly #pool = new Map<number, { readonly maxFee: bigint; readonly tip: bigint }>();
  wanted: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

  constructor(wanted: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }) {
    this.wanted = wanted;
  }

  client(): typeof world.client {
    const estimateFeesPerGas = () => Promise.resolve(this.wanted);
    const sendRawTransaction: typeof world.client.sendRawTransaction = async ({ serializedTransaction: raw }) => {
      const { nonce = 0, maxFeePerGas: maxFee = 0n, maxPriorityFeePerGas: tip = 0n } = parseTransaction(raw);
      const held = this.#pool.get(nonce);
      const isSame = held?.maxFee === maxFee && held.tip === tip;
      if (held !== undefined && !isSame && (maxFee * 10n < held.maxFee * 11n || tip * 10n < held.tip * 11n)) {
        this.refusals.push(`${maxFee} after ${held.maxFee}, tip ${tip} after ${held.tip}`);
        throw new Error('replacement transaction underpriced');
      }
      this.#pool.set(nonce, { maxFee, tip });
      // Who tips less than the others waits without end.
      return tip < this.wanted.maxPriorityFeePerGas ? keccak256(raw) : world.client.sendRawTransaction({ serializedTransaction: raw });
    };
    return { ...world.client, estimateFeesPerGas: estimateFeesPerGas as never, sendRawTransaction };
  }
}

const GWEI = 1_000_000_000n;

test.each([
  ['the tip alone', { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 5n * GWEI }],
  ['both fees', { maxFeePerGas: 200n * GWEI, maxPriorityFeePerGas: 2n * GWEI }],
  ['a little of both', { maxFeePerGas: 41n * GWEI, maxPriorityFeePerGas: GWEI + 1n }],
])('D4: what is stuck is replaced as public nodes want it when %s rose: both fees rise by a tenth at least', async (_what, risen) => {
  let now = Date.now();
  await world.stopIndexer();
  const node = new StrictNode({ maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI });
  world.startIndexer({ now: () => now, client: node.client() });
  await world.rpc('evm_setAutomine', [false]);
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'stuck' });
  await eventually(() => world.events('WithdrawalSent').length).toBe(1);
  await world.rpc('anvil_dropAllTransactions');
  node.wanted = risen;
  now += 120_000;
  await eventually(() => world.events('WithdrawalSent').length).toBe(2);
  await world.rpc('evm_setAutomine', [true]);
  await world.mine(3);
  await posted().toBe(1);
  expect(node.refusals).toEqual([]);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('D4: what was sent a day ahead is sent again when the clock is set back', async () => {
  let now = Date.now() + 86_400_000;
  await world.stopIndexer();
  world.startIndexer({ now: () => now });
  await world.rpc('evm_setAutomine', [false]);
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'tomorrow' });
  await eventually(async () => (await world.db.sql.selectFrom('indexer_parcel').select('sent_at').executeTakeFirst())?.sent_at ?? 0).toBe(
    now,
  );
  await world.rpc('anvil_dropAllTransactions');
  await world.rpc('evm_setAutomine', [true]);
  now = Date.now();
  await posted().toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('D4: a payout whose block goes away is paid again by the same transaction, once', async () => {
  await world.stopIndexer();
  world.startIndexer({ confirmations: 4 });
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'reorganised' });
  await eventually(async () => (await releases()).length).toBe(1);
  const [first] = await releases();
  await world.caughtUp();
  await world.reorg(1);
  await eventually(async () => (await releases()).map(({ transactionHash }) => transactionHash)).toEqual([first?.transactionHash]);
  expect((await releases())[0]?.blockHash).not.toBe(first?.blockHash);
  await world.mine(5);
  await posted().toBe(1);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
});

test('D2, D4: a posted payout that the chain takes back for good, past its deadline, is signed again and paid once', async () => {
  await world.stopIndexer();
  const deep = { confirmations: 2, payableSeconds: 600 };
  world.startIndexer(deep);
  await world.mine(10);
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'taken back' });
  await eventually(async () => (await releases()).length).toBe(1);
  await world.mine(5);
  await posted().toBe(1);
  await world.stopIndexer();
  await world.reorg(8);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(0n);
  await world.passTime(700);
  let now = Date.now();
  const indexer = world.startIndexer({ ...deep, now: () => now });
  await eventually(() => indexer.unready()).toMatch(/^the chain took back \d+ blocks/);
  // What was signed first is sent again while money is halted, and the vault refuses it.
  const failed = async () => world.db.sql.selectFrom('indexer_transaction').select('hash').where('status', '=', 'failed').execute();
  await eventually(async () => (await failed()).length).toBe(1);
  await world.mine(10);
  const usdc = () => indexer.solvency().find(({ coin }) => coin === 'USDC');
  await eventually(usdc).toMatchObject({ unpaid: 5n, difference: 0n });
  // The second try waits some seconds.
  await eventually(async () => {
    now += 15_000;
    return (await releases()).length;
  }).toBe(1);
  await world.mine(5);
  await eventually(() => {
    now += 15_000;
    return usdc();
  }).toMatchObject({ unpaid: 0n, difference: 0n });
  await eventually(() => world.db.sql.selectFrom('indexer_recall').selectAll().execute()).toEqual([]);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n);
  expect(world.events('WithdrawalPosted').length).toBe(1);
  expect(world.events('WithdrawalRefunded')).toEqual([]);
  expect((await releases()).length).toBe(1);
});

test('D2, D4: an expired withdrawal is refunded only when no automatically reconciled reorganisation can restore its payout', async () => {
  await world.stopIndexer();
  const lost = { ...world.client, sendRawTransaction: () => Promise.reject(new Error('lost on the way')) } as PublicClient;
  world.startIndexer({ confirmations: 2, payableSeconds: 600, client: lost });
  const expired = await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'expires' });
  await eventually(() => world.events('WithdrawalSent').length).toBe(1);
  await world.passTime(700);
  // The first block after the deadline has 63 on it: the deepest automatically reconciled reorganisation reverts it.
  await world.mine(63);
  await world.caughtUp();
  // Refunded at once, and after those that have expired.
  const impossible = await world.withdraw(alice, { asset: USDC, amount: 5n, to: lowerCase(world.deployment.vault), name: 'impossible' });
  await refunded().toBe(1);
  expect(world.events('WithdrawalRefunded')).toMatchObject([{ withdrawalId: impossible }]);
  await world.mine();
  await refunded().toBe(2);
  expect(world.events('WithdrawalRefunded').at(-1)).toMatchObject({ withdrawalId: expired });
});

test('M2: money missing in the vault stops withdrawals until it is back and a person has looked', async () => {
  let now = Date.now();
  await world.stopIndexer();
  const indexer = world.startIndexer({ now: () => now });
  await eventually(() => indexer.solvency().length).toBeGreaterThan(0);
  const usdc = world.token('USDC');
  await world.rpc('anvil_impersonateAccount', [world.deployment.vault]);
  await world.rpc('anvil_setBalance', [world.deployment.vault, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [bob.account.address, 1n] });
  await world.rpc('eth_sendTransaction', [{ from: world.deployment.vault, to: usdc, data }]);
  await eventually(() => {
    now += 20_000;
    return indexer.unready();
  }).toMatch(/^the vault holds 0\.000001 USDC less at block \d+ than its deposits and releases account for$/);
  await world.withdraw(alice, { asset: USDC, amount: 5n, name: 'insolvent' });
  await world.mine(3);
  await world.caughtUp();
  await world.send(bob, {
    to: usdc,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [world.deployment.vault, 1n] }),
  });
  await eventually(() => {
    now += 20_000;
    return indexer.solvency().find(({ coin }) => coin === 'USDC');
  }).toMatchObject({ difference: 0n });
  expect(world.events('WithdrawalSent')).toEqual([]);
  await indexer.clearHalt(indexer.unready());
  await posted().toBe(1);
});

test('D4: cut off at any statement, command or call, a withdrawal is paid exactly once', { timeout: 240_000 }, async () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) {
    await world.stopIndexer();
    await world.withdraw(alice, { asset: USDC, amount: 10n, to: bob.address, name: `cut ${round}` });
    // A turn has some forty points; a withdrawal takes two or three turns.
    for (let cut = 0; cut < 3; cut += 1) {
      const crash = new Crash(1 + (((seed + round * 37 + cut * 53) * 7919) % 110));
      world.startIndexer(crash.around(world));
      await eventually(() => crash.happened || world.events('WithdrawalPosted').length > round).toBe(true);
      await world.stopIndexer();
    }
    world.startIndexer({ now: () => Date.now() + 15_000 });
    await posted().toBe(round + 1);
  }
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(BigInt(rounds) * 10n);
  expect((await releases()).length).toBe(rounds);
  expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n - BigInt(rounds) * 10n, held: 0n });
});
