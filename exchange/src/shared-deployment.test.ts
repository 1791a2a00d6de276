/** Processes on one database and one chain elsewhere: in whatever order they start, all work with one set of contracts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAIN_ID, type Deployment, testTokenAbi } from '@orrery/contracts';
import { anvilCall, startAnvil } from '@orrery/contracts/anvil';
import { deploymentFile, type DeploymentStore, ensureDeployed, ensureHouse, findDeployment } from '@orrery/contracts/deploy';
import { createPublicClient, http, type PublicClient, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { firstDeposits, houseMoney } from './first-liquidity.ts';
import { HOUSE_ELSEWHERE } from './house-addresses.ts';
import { type DeploymentTables, deploymentMigrations, type FoundDeployment, sharedDeployment } from './shared-deployment.ts';
import { type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

const deployer = privateKeyToAccount(generatePrivateKey());
const other = (): `0x${string}` => privateKeyToAccount(generatePrivateKey()).address;
const people = { operator: other(), pauser: other(), lister: other() };

let url: string;
let client: PublicClient;
let db: TemporaryDatabase<DeploymentTables>;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-deployment-'));
  const anvil = await startAnvil({ directory: folder, flags: ['--chain-id', String(CHAIN_ID), '--cache-path', folder, '--silent'] });
  ({ url } = anvil);
  await anvilCall(url, 'anvil_setBalance', [deployer.address, toHex(10n ** 26n)]);
  client = createPublicClient({ transport: http(url, { retryCount: 0 }), pollingInterval: 20, cacheTime: 0 });
  db = await temporaryDatabase<DeploymentTables>({ ...deploymentMigrations });
  onTestFinished(async () => {
    await db.close();
    await anvil.end();
    rmSync(folder, { recursive: true, force: true });
  });
});

const complete = async (store: DeploymentStore, through: PublicClient = client): Promise<Deployment> =>
  (await findDeployment({ client, store })) ??
  ensureDeployed({
    client: through,
    deployer,
    ...people,
    disputeSeconds: 5,
    faucetStock: 1n,
    faucetGas: 1n,
    dailyClaims: 10n,
    deposits: [],
    store,
  });

const absent = (): Promise<Deployment> => Promise.reject(new Error('the key of the deployer is away'));

let started = 0;

interface Process {
  readonly deploy?: (store: DeploymentStore) => Promise<Deployment>;
  readonly fund?: (store: DeploymentStore) => Promise<void>;
  readonly file?: string;
}

/** With a data folder of its own. */
const start = ({ deploy = complete, fund, file = `${(started += 1)}.json` }: Process = {}): Promise<FoundDeployment> =>
  sharedDeployment({ db: db.sql, client, file: deploymentFile(join(folder, file)), deploy, fund, say: () => undefined });

const sentByDeployer = (): Promise<number> => client.getTransactionCount({ address: deployer.address });

/** A chain that takes this number of transactions and then no more. */
function taking(count: number): PublicClient {
  let left = count;
  return {
    ...client,
    sendRawTransaction: (call: Parameters<PublicClient['sendRawTransaction']>[0]) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('interrupted')) : client.sendRawTransaction(call);
    },
  };
}

test('[C6] of processes that start at once on an empty chain one deploys; those that come later need no key for it', async () => {
  const found = await Promise.all(Array.from({ length: 5 }, () => start()));
  expect(new Set(found.map(({ deployment }) => deployment.vault)).size).toBe(1);
  const [first] = found;
  expect(await sentByDeployer()).toBe(first?.deployment.setUp.nextNonce);
  expect(await start({ deploy: absent })).toEqual({ deployment: first?.deployment, isHouseFunded: false });
});

test('[C6] a process that ends while it deploys leaves the rest to another one, in another folder', async () => {
  await expect(start({ deploy: (store) => complete(store, taking(20)) })).rejects.toThrow('interrupted');
  await expect.poll(sentByDeployer).toBe(20);
  const { deployment } = await start();
  expect(await sentByDeployer()).toBe(deployment.setUp.nextNonce);
});

test('a deployment by the command, or by a version before, is taken from its file; a file of other contracts is refused', async () => {
  const deployment = await complete(deploymentFile(join(folder, 'old.json')));
  expect(await start({ deploy: absent, file: 'old.json' })).toMatchObject({ deployment });
  expect(await start({ deploy: absent })).toMatchObject({ deployment });
  await complete(deploymentFile(join(folder, 'second.json')));
  await expect(start({ deploy: absent, file: 'second.json' })).rejects.toThrow(
    `the exchange on this database works with ${deployment.vault}: remove the file`,
  );
});

describe('the money of the house', () => {
  const HOUSE = { deposits: firstDeposits(HOUSE_ELSEWHERE), money: houseMoney(HOUSE_ELSEWHERE) };
  const lacked: bigint[] = [];
  const fund = async (store: DeploymentStore, through: PublicClient = client): Promise<void> => {
    const lacking = await ensureHouse({ client: through, deployer, store }, HOUSE);
    if (lacking !== undefined) lacked.push(lacking);
  };

  /** What lies in the vault, by the code of its token. */
  async function inVault({ vault, tokens }: Deployment): Promise<Readonly<Record<string, bigint>>> {
    const amounts = tokens.map(async ({ code, address }) => {
      const read = { address, abi: testTokenAbi, functionName: 'balanceOf', args: [vault] } as const;
      return [code, await client.readContract(read)] as const;
    });
    return Object.fromEntries(await Promise.all(amounts));
  }

  const wanted = (): Readonly<Record<string, bigint>> => {
    const sums: Record<string, bigint> = {};
    for (const { code, amount } of HOUSE.deposits) sums[code] = (sums[code] ?? 0n) + amount;
    for (const { code, donated, deposits } of HOUSE.money)
      sums[code] = deposits.reduce((sum, { amount }) => sum + amount, (sums[code] ?? 0n) + donated);
    return sums;
  };

  test('is brought once by the processes that start at once, and known to those that have no key for it', async () => {
    const found = await Promise.all(Array.from({ length: 3 }, () => start({ fund })));
    expect(found.map(({ isHouseFunded }) => isHouseFunded)).toEqual([true, true, true]);
    expect(await start({ deploy: absent })).toEqual(found[0]);
    expect(await inVault(found[0]!.deployment)).toEqual(wanted());
  });

  test('is added to an earlier deployment, after other transactions of the deployer; cut off anywhere, it is brought once', async () => {
    const { deployment } = await start();
    await client.sendRawTransaction({
      serializedTransaction: await deployer.signTransaction({
        chainId: CHAIN_ID,
        type: 'eip1559',
        nonce: await sentByDeployer(),
        to: people.pauser,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 10n ** 12n,
      }),
    });
    await expect.poll(sentByDeployer).toBe(deployment.setUp.nextNonce + 1);
    for (const count of [0, 5, 16]) {
      const before = await sentByDeployer();
      await expect(start({ fund: (store) => fund(store, taking(count)) })).rejects.toThrow('interrupted');
      await expect.poll(sentByDeployer).toBe(before + count);
      expect(await start()).toEqual({ deployment, isHouseFunded: false });
    }
    expect(await start({ fund })).toEqual({ deployment, isHouseFunded: true });
    expect(await inVault(deployment)).toEqual(wanted());
  });

  test('is not begun by a deployer who has too little, and what is lacking is said', async () => {
    await anvilCall(url, 'anvil_setBalance', [deployer.address, toHex(10n ** 20n)]);
    const { deployment, isHouseFunded } = await start({ fund });
    expect(isHouseFunded).toBe(false);
    expect(lacked.at(-1)).toBeGreaterThan(10n ** 25n);
    expect(await sentByDeployer()).toBe(deployment.setUp.nextNonce);
  });
});
