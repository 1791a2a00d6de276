import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { deploymentFile, ensureDeployed, ensureHouseMoney } from '@orrery/contracts/deploy';
import { exchangeVaultAbi, testTokenAbi } from '@orrery/contracts';
import { createPublicClient, parseEther, type Hash, type PublicClient } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { chainKeys } from './chain-keys.ts';
import { type LocalChain, startLocalChain, type LocalChainOptions } from './local-chain.ts';
import { segmentName, segmentsIn } from './segment.ts';
import { readTransaction } from './signed-transaction.ts';
import { snapshotsIn } from './snapshot.ts';
import { chainTransport } from './transport.ts';

const CHAIN_ID = 138565;
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-chain-'));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function start(directory: string, changes: Partial<LocalChainOptions> = {}): Promise<{ chain: LocalChain; client: PublicClient }> {
  const chain = await startLocalChain({
    directory,
    chainId: CHAIN_ID,
    allocations: Object.values(chainKeys(directory)).map(({ address }) => ({ address, balance: parseEther('1000000') })),
    onFailure: (error) => {
      throw error;
    },
    minBlockIntervalMs: 0,
    ...changes,
  });
  cleanups.push(() => chain.stop());
  return { chain, client: createPublicClient({ transport: chainTransport(chain), pollingInterval: 20 }) };
}

async function transfer(client: PublicClient, directory: string, nonce: number): Promise<Hash> {
  const { operator, pauser } = chainKeys(directory);
  const serializedTransaction = await operator.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    nonce,
    gas: 21_000n,
    to: pauser.address,
    value: 1n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 1n,
  });
  return client.sendRawTransaction({ serializedTransaction });
}

test('[C9] a transaction is mined at once, and an idle chain mines by its heartbeat', async () => {
  const directory = folder();
  const { client, chain } = await start(directory, { heartbeatMs: 100 });
  const receipt = await client.waitForTransactionReceipt({ hash: await transfer(client, directory, 0) });
  expect(receipt.status).toBe('success');
  const { number } = chain.head();
  await expect.poll(() => chain.head().number).toBeGreaterThan(number + 1);
});

test('the mnemonic is made once, for its owner only, and is not given to the node', async () => {
  const directory = folder();
  const first = chainKeys(directory);
  expect(chainKeys(directory).operator.address).toBe(first.operator.address);
  expect(statSync(join(directory, 'mnemonic')).mode & 0o777).toBe(0o600);
  await start(directory);
  const words = readFileSync(join(directory, 'mnemonic'), 'utf8').trim();
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
  expect(commands.some((command) => command.includes('anvil'))).toBe(true);
  expect(commands.some((command) => command.includes(words))).toBe(false);
});

test('[C6] the contracts are deployed once and are still there, with their logs and receipts, after a restart', async () => {
  const directory = folder();
  const keys = chainKeys(directory);
  const plan = {
    deployer: keys.deployer,
    operator: keys.operator.address,
    pauser: keys.pauser.address,
    lister: keys.lister.address,
    disputeSeconds: 5,
    faucetStock: parseEther('1000'),
    faucetGas: parseEther('0.1'),
    dailyClaims: 10n,
    deposits: [
      { recipient: keys.marketMaker.address, code: 'USDC', amount: 5_000_000n },
      { recipient: keys.marketMaker.address, code: 'WSOSO', amount: 7n },
    ],
    store: deploymentFile(join(directory, 'deployment.json')),
  };
  const first = await start(directory);
  const deployment = await ensureDeployed({ ...plan, client: first.client });
  const head = first.chain.head();
  const block = await first.client.getBlock({ blockNumber: BigInt(head.number) });
  const filter = { address: deployment.vault, events: exchangeVaultAbi.filter((item) => item.type === 'event'), fromBlock: 0n } as const;
  const logs = await first.client.getLogs(filter);
  expect(logs.map((log) => log.eventName)).toEqual(expect.arrayContaining(['AssetCreated', 'PairCreated', 'UserCreated', 'Deposited']));
  await first.chain.stop();

  const second = await start(directory);
  expect(await ensureDeployed({ ...plan, client: second.client })).toEqual(deployment);
  expect(await second.client.getBlock({ blockNumber: BigInt(head.number) })).toEqual(block);
  expect(await second.client.getLogs(filter)).toEqual(logs);
  const receipt = await second.client.getTransactionReceipt({ hash: logs[0]!.transactionHash });
  expect(receipt.status).toBe('success');
  const read = { address: deployment.vault, abi: exchangeVaultAbi } as const;
  expect(await second.client.readContract({ ...read, functionName: 'getUserId', args: [keys.marketMaker.address] })).toBe(1n);
  expect(await second.client.readContract({ ...read, functionName: 'assetCount' })).toBe(6);
  expect(await second.client.readContract({ ...read, functionName: 'pairCount' })).toBe(5);
});

test('[C6] a deployment that was interrupted goes on where it stopped', async () => {
  const directory = folder();
  const keys = chainKeys(directory);
  const { client } = await start(directory);
  const plan = {
    client,
    deployer: keys.deployer,
    operator: keys.operator.address,
    pauser: keys.pauser.address,
    lister: keys.lister.address,
    disputeSeconds: 5,
    faucetStock: 1n,
    faucetGas: 1n,
    dailyClaims: 10n,
    deposits: [],
    store: deploymentFile(join(directory, 'deployment.json')),
  };
  let left = 20;
  const failing: PublicClient = {
    ...client,
    sendRawTransaction: (call: Parameters<PublicClient['sendRawTransaction']>[0]) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('interrupted')) : client.sendRawTransaction(call);
    },
  };
  await expect(ensureDeployed({ ...plan, client: failing })).rejects.toThrow('interrupted');
  await expect.poll(() => client.getTransactionCount({ address: keys.deployer.address })).toBe(20);
  const deployment = await ensureDeployed(plan);
  expect(await client.readContract({ address: deployment.vault, abi: exchangeVaultAbi, functionName: 'pairCount' })).toBe(5);
  // The house's money comes after it, once, however often that is interrupted.
  const money = [
    {
      code: 'USDC',
      donated: 40n,
      deposits: [keys.liquidator, keys.contractTaker].map(({ address }) => ({ recipient: address, amount: 3n })),
    },
    { code: 'BTC', donated: 5n, deposits: [{ recipient: keys.liquidator.address, amount: 2n }] },
  ];
  left = 4;
  await expect(ensureHouseMoney({ client: failing, deployer: keys.deployer }, deployment, money)).rejects.toThrow('interrupted');
  const { nextNonce } = deployment.setUp;
  await expect.poll(() => client.getTransactionCount({ address: keys.deployer.address })).toBe(nextNonce + 4);
  for (let again = 0; again < 2; again += 1) await ensureHouseMoney({ client, deployer: keys.deployer }, deployment, money);
  const inVault = (code: string) =>
    client.readContract({
      address: deployment.tokens.find((token) => token.code === code)!.address,
      abi: testTokenAbi,
      functionName: 'balanceOf',
      args: [deployment.vault],
    });
  expect(await Promise.all(['USDC', 'BTC'].map(inVault))).toEqual([46n, 7n]);
  await expect(ensureDeployed({ ...plan, client: { ...client, getChainId: () => Promise.resolve(1) } })).rejects.toThrow(
    /is of chain 138565, but the RPC answers for chain 1$/,
  );
});

test('a node that dies is brought back under its clients, with every block the same', async () => {
  const directory = folder();
  const { client, chain } = await start(directory, { snapshotEvery: 3 });
  for (let nonce = 0; nonce < 8; nonce += 1) await client.waitForTransactionReceipt({ hash: await transfer(client, directory, nonce) });
  const blocks = await Promise.all([1n, 4n, 7n].map((blockNumber) => client.getBlock({ blockNumber })));
  const node = nodeOf(directory);
  process.kill(node, 'SIGKILL');
  await expect.poll(async () => await chain.read('eth_chainId', []).catch(() => '')).toBe('0x21d45');
  expect(nodeOf(directory)).not.toBe(node);
  expect(await Promise.all([1n, 4n, 7n].map((blockNumber) => client.getBlock({ blockNumber })))).toEqual(blocks);
  await client.waitForTransactionReceipt({ hash: await transfer(client, directory, 8) });
});

test('a folder in use, a damaged log and a damaged snapshot: one sentence, or no harm', async () => {
  const directory = folder();
  const { client, chain } = await start(directory, { snapshotEvery: 3 });
  await expect(start(directory)).rejects.toThrow(/is in use by another running program/);
  for (let nonce = 0; nonce < 8; nonce += 1) await client.waitForTransactionReceipt({ hash: await transfer(client, directory, nonce) });
  const { hash, number } = chain.head();
  await chain.stop();

  const [newest = 0] = snapshotsIn(directory);
  const snapshot = join(directory, `snapshot-${String(newest).padStart(12, '0')}.gz`);
  truncateSync(snapshot, 300);
  const again = await start(directory, { snapshotEvery: 1000 });
  expect(await again.client.getBlock({ blockNumber: BigInt(number) })).toMatchObject({ hash });
  await again.client.waitForTransactionReceipt({ hash: await transfer(again.client, directory, 8) });
  await again.client.waitForTransactionReceipt({ hash: await transfer(again.client, directory, 9) });
  await again.chain.stop();

  rmSync(snapshot);
  const log = join(directory, segmentName(segmentsIn(directory).at(-2)!));
  const bytes = readFileSync(log);
  bytes[20] = bytes[20]! ^ 1;
  writeFileSync(log, bytes);
  rmSync(join(directory, `snapshot-${String(snapshotsIn(directory)[0]).padStart(12, '0')}.gz`));
  await expect(start(directory)).rejects.toThrow(/is damaged at byte 0/);
});

test('one worthless transaction repeated a thousand times leaves nothing on disk', async () => {
  const directory = folder();
  const { chain } = await start(directory, { heartbeatMs: 3_600_000 });
  const bytes = () => segmentsIn(directory).reduce((sum, segment) => sum + statSync(join(directory, segmentName(segment))).size, 0);
  const pauper = privateKeyToAccount(generatePrivateKey());
  const worthless = await readTransaction(
    await pauper.signTransaction({
      chainId: CHAIN_ID,
      type: 'eip1559',
      nonce: 0,
      gas: 2_000_000n,
      to: pauper.address,
      data: `0x${'11'.repeat(60_000)}`,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 1n,
    }),
    CHAIN_ID,
  );
  const before = bytes();
  for (let count = 0; count < 1_000; count += 1) await expect(chain.send(worthless)).rejects.toThrow('Insufficient funds');
  expect(bytes()).toBe(before);
});

test('a log of many segments is replayed, and none is larger than its bound', async () => {
  const directory = folder();
  const first = await start(directory, { segmentBytes: 2_000 });
  for (let nonce = 0; nonce < 24; nonce += 1)
    await first.client.waitForTransactionReceipt({ hash: await transfer(first.client, directory, nonce) });
  const { number, hash } = first.chain.head();
  await first.chain.stop();
  const written = segmentsIn(directory).filter(({ after }) => after === 0);
  expect(written.length).toBeGreaterThan(3);
  for (const segment of written) expect(statSync(join(directory, segmentName(segment))).size).toBeLessThanOrEqual(2_000);

  for (const block of snapshotsIn(directory)) rmSync(join(directory, `snapshot-${String(block).padStart(12, '0')}.gz`));
  const second = await start(directory, { segmentBytes: 2_000 });
  expect(await second.client.getBlock({ blockNumber: BigInt(number) })).toMatchObject({ hash });
  await second.client.waitForTransactionReceipt({ hash: await transfer(second.client, directory, 24) });
});

test('blocks come two seconds apart, and what waits shares one', async () => {
  const directory = folder();
  const { chain, client } = await start(directory, { minBlockIntervalMs: 2_000 });
  const hashes: Hash[] = [];
  for (let nonce = 0; nonce < 12; nonce += 1) hashes.push(await transfer(client, directory, nonce));
  await client.waitForTransactionReceipt({ hash: hashes.at(-1)! });
  await client.waitForTransactionReceipt({ hash: await transfer(client, directory, 12) });
  const numbers = Array.from({ length: chain.head().number + 1 }, (_, number) => BigInt(number));
  const times = (await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))).map(({ timestamp }) =>
    Number(timestamp),
  );
  for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBeGreaterThanOrEqual(2);
  expect(times.at(-1)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
});

test('what waited when the program ended is mined before the next start is through, whatever the interval', async () => {
  const directory = folder();
  const first = await start(directory, { minBlockIntervalMs: 3_600_000 });
  const hashes: Hash[] = [];
  for (let nonce = 0; nonce < 3; nonce += 1) hashes.push(await transfer(first.client, directory, nonce));
  await first.chain.stop();
  const second = await start(directory, { minBlockIntervalMs: 3_600_000 });
  for (const hash of hashes) expect((await second.client.getTransactionReceipt({ hash })).status).toBe('success');
});

test('while the contracts are put on the chain, blocks come at once', async () => {
  const directory = folder();
  const { chain, client } = await start(directory, { minBlockIntervalMs: 3_600_000 });
  await chain.withQuickBlocks(async () => {
    for (let nonce = 0; nonce < 3; nonce += 1) await client.waitForTransactionReceipt({ hash: await transfer(client, directory, nonce) });
  });
  // The node shows a receipt a moment before the block is in the log.
  await expect.poll(() => chain.head().number).toBe(3);
});

test(
  'kill -9 of the program, ten times under load: every acknowledged transaction is there, no block changed',
  { timeout: 180_000 },
  async () => {
    const directory = folder();
    const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const acknowledged = new Set<string>();
    const blocks = new Map<string, string>();
    for (let cycle = 0; cycle < 10; cycle += 1) {
      await killedRun({ directory, lifeMs: 150 + ((seed * 7919 + cycle * 104_729) % 900), acknowledged, blocks });
    }
    expect(acknowledged.size).toBeGreaterThan(50);
    const { client } = await start(directory);
    for (const [number, hash] of blocks)
      expect((await client.getBlock({ blockNumber: BigInt(number) })).hash, `block ${number} of ${blocks.size}`).toBe(hash);
    for (const hash of acknowledged) {
      const receipt = await client.waitForTransactionReceipt({ hash: hash as Hash, timeout: 10_000 });
      expect(receipt.status).toBe('success');
    }
  },
);

async function killedRun(run: {
  directory: string;
  lifeMs: number;
  acknowledged: Set<string>;
  blocks: Map<string, string>;
}): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'testing', 'chain-under-load.ts'), run.directory, '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const before = run.acknowledged.size;
  await note(child, run);
  await expect.poll(() => run.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 5);
  await delay(run.lifeMs);
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Resolves when the program has started; collects its output until its end. */
async function note(child: ChildProcess, run: { acknowledged: Set<string>; blocks: Map<string, string> }): Promise<void> {
  const lines = createInterface({ input: child.stdout! });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
    lines.on('line', (line) => {
      const [word, first = '', second = ''] = line.split(' ');
      if (word === 'started') resolve();
      if (word === 'failed') reject(new Error(line));
      if (word === 'acknowledged') run.acknowledged.add(first);
      if (word !== 'block') return;
      expect(run.blocks.get(first) ?? second).toBe(second);
      run.blocks.set(first, second);
    });
  });
}

function nodeOf(directory: string): number {
  const [node] = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'anvil' && readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    });
  expect(node).toBeDefined();
  return Number(node);
}
