/** Processes on one database and one chain elsewhere: in whatever order they start, all work with one set of contracts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAIN_ID, type Deployment } from '@orrery/contracts';
import { anvilCall, startAnvil } from '@orrery/contracts/anvil';
import { deploymentFile, type DeploymentStore, ensureDeployed, findDeployment } from '@orrery/contracts/deploy';
import { createPublicClient, http, type PublicClient, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type DeploymentTables, deploymentMigrations, sharedDeployment } from './shared-deployment.ts';
import { type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

const deployer = privateKeyToAccount(generatePrivateKey());
const other = (): `0x${string}` => privateKeyToAccount(generatePrivateKey()).address;
const people = { operator: other(), pauser: other(), lister: other() };

let client: PublicClient;
let db: TemporaryDatabase<DeploymentTables>;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-deployment-'));
  const anvil = await startAnvil({ directory: folder, flags: ['--chain-id', String(CHAIN_ID), '--cache-path', folder, '--silent'] });
  await anvilCall(anvil.url, 'anvil_setBalance', [deployer.address, toHex(10n ** 24n)]);
  client = createPublicClient({ transport: http(anvil.url, { retryCount: 0 }), pollingInterval: 20, cacheTime: 0 });
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

/** A process with a data folder of its own. */
function start(deploy: (store: DeploymentStore) => Promise<Deployment> = complete, file = `${(started += 1)}.json`): Promise<Deployment> {
  return sharedDeployment({ db: db.sql, client, file: deploymentFile(join(folder, file)), deploy, say: () => undefined });
}

const sentByDeployer = (): Promise<number> => client.getTransactionCount({ address: deployer.address });

test('[C6] of processes that start at once on an empty chain one deploys; those that come later need no key for it', async () => {
  const deployments = await Promise.all(Array.from({ length: 5 }, () => start()));
  expect(new Set(deployments.map(({ vault }) => vault)).size).toBe(1);
  const [first] = deployments;
  expect(await sentByDeployer()).toBe(first?.setUp.nextNonce);
  expect(await start(absent)).toEqual(first);
});

test('[C6] a process that ends while it deploys leaves the rest to another one, in another folder', async () => {
  let left = 20;
  const failing: PublicClient = {
    ...client,
    sendRawTransaction: (call: Parameters<PublicClient['sendRawTransaction']>[0]) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('interrupted')) : client.sendRawTransaction(call);
    },
  };
  await expect(start((store) => complete(store, failing))).rejects.toThrow('interrupted');
  await expect.poll(sentByDeployer).toBe(20);
  const deployment = await start();
  expect(await sentByDeployer()).toBe(deployment.setUp.nextNonce);
});

test('a deployment by the command, or by a version before, is taken from its file; a file of other contracts is refused', async () => {
  const deployment = await complete(deploymentFile(join(folder, 'old.json')));
  expect(await start(absent, 'old.json')).toEqual(deployment);
  expect(await start(absent)).toEqual(deployment);
  await complete(deploymentFile(join(folder, 'second.json')));
  await expect(start(absent, 'second.json')).rejects.toThrow(
    `the exchange on this database works with ${deployment.vault}: remove the file`,
  );
});
