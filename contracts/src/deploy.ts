/** Puts the contracts on a chain once. A run that was interrupted goes on; a finished one only looks that all is there. */
import type { Hash, LocalAccount, PublicClient, TransactionReceipt } from 'viem';
import type { DeploymentStore } from './deployment-store.ts';
import type { Deployment, DeploymentRecord } from './deployment.ts';
import {
  type Call,
  deploymentPlan,
  digestOf,
  type FirstDeposit,
  firstDeposit,
  type HouseMoney,
  houseMoneyCalls,
  type Plan,
  type PlanOptions,
} from './plan.ts';

export interface DeployOptions extends Omit<PlanOptions, 'chainId' | 'deployer' | 'firstNonce' | 'fromBlock'> {
  readonly client: PublicClient;
  /** Must send nothing else while the deployment is unfinished. Admin of the contracts afterwards. */
  readonly deployer: LocalAccount;
  readonly store: DeploymentStore;
}

export { type DeploymentStore, deploymentFile } from './deployment-store.ts';
export type { DeploymentRecord } from './deployment.ts';
export type { FirstDeposit, HouseMoney } from './plan.ts';

/** Transactions sent before the first of them is awaited: with more, a node may drop the last. */
const WINDOW = 16;

/** The finished deployment that the record names; undefined when there is none yet. */
export async function findDeployment(options: Pick<DeployOptions, 'client' | 'store'>): Promise<Deployment | undefined> {
  const record = await options.store.read();
  if (record === undefined || !record.complete) return undefined;
  const chainId = await options.client.getChainId();
  if (record.deployment.chainId !== chainId) throw otherChain(options.store, record, chainId);
  await requireCode(options, record.deployment);
  return (await withSetUp(options, record)).deployment;
}

function otherChain({ name }: DeploymentStore, { deployment }: DeploymentRecord, chainId: number): Error {
  return new Error(`${name} is of chain ${deployment.chainId}, but the RPC answers for chain ${chainId}`);
}

export async function ensureDeployed(options: DeployOptions): Promise<Deployment> {
  const found = await findDeployment(options);
  if (found !== undefined) return found;
  const chainId = await options.client.getChainId();
  const record = await options.store.read();
  if (record === undefined) return deployAnew(options, chainId);
  if (record.deployment.chainId !== chainId) throw otherChain(options.store, record, chainId);
  return resume(options, record);
}

/** A record of an earlier version does not say which transactions were the deployment: all of its deployer's until now. */
async function withSetUp({ client, store }: Pick<DeployOptions, 'client' | 'store'>, record: DeploymentRecord): Promise<DeploymentRecord> {
  const { deployer, deployment } = record;
  if ((deployment as Partial<Deployment>).setUp !== undefined) return record;
  const nextNonce = await client.getTransactionCount({ address: deployer, blockTag: 'latest' });
  const known = { ...record, deployment: { ...deployment, setUp: { deployer, nextNonce } } };
  await store.write(known);
  return known;
}

async function deployAnew(options: DeployOptions, chainId: number): Promise<Deployment> {
  const { client, deployer } = options;
  const fromBlock = Number(await client.getBlockNumber());
  const firstNonce = await client.getTransactionCount({ address: deployer.address, blockTag: 'latest' });
  const plan = deploymentPlan({ ...options, chainId, deployer: deployer.address, firstNonce, fromBlock });
  const record: DeploymentRecord = {
    deployer: deployer.address,
    firstNonce,
    planDigest: plan.digest,
    complete: false,
    deployment: plan.deployment,
  };
  await options.store.write(record);
  return complete(options, record, plan);
}

async function resume(options: DeployOptions, record: DeploymentRecord): Promise<Deployment> {
  const { chainId, fromBlock } = record.deployment;
  const plan = deploymentPlan({ ...options, chainId, deployer: options.deployer.address, firstNonce: record.firstNonce, fromBlock });
  if (plan.digest !== record.planDigest) {
    throw new Error(`${options.store.name} holds an unfinished deployment of another plan: remove that record to begin a new one`);
  }
  return complete(options, record, plan);
}

async function complete(options: DeployOptions, record: DeploymentRecord, plan: Plan): Promise<Deployment> {
  await sendRest(options, plan.calls, record.firstNonce);
  await requireCode(options, plan.deployment);
  await options.store.write({ ...record, complete: true });
  return plan.deployment;
}

/**
 * Brings the house's money to the vault, once: a run that was interrupted goes on where the deployer's nonce says. The deployer must have sent
 * nothing else since the deployment.
 */
export async function ensureHouseMoney(
  sender: Pick<DeployOptions, 'client' | 'deployer'>,
  deployment: Deployment,
  money: readonly HouseMoney[],
): Promise<void> {
  await sendRest(sender, houseMoneyCalls(deployment, sender.deployer.address, money), deployment.setUp.nextNonce);
}

export interface House {
  /** For its accounts of spot. */
  readonly deposits: readonly FirstDeposit[];
  /** For contracts. */
  readonly money: readonly HouseMoney[];
}

/**
 * Brings the house what it trades with to a chain elsewhere, once: a run that was interrupted goes on where the deployer's nonce says. The deployer must send
 * nothing else while it is unfinished.
 * @returns what the deployer lacks for it, in wei, and then nothing was begun; undefined when all is there
 */
export async function ensureHouse(
  { client, deployer, store }: Pick<DeployOptions, 'client' | 'deployer' | 'store'>,
  { deposits, money }: House,
): Promise<bigint | undefined> {
  const record = await store.read();
  if (record?.complete !== true) throw new Error(`${store.name} holds no finished deployment: the house comes after it`);
  if (record.house?.complete === true) return undefined;
  const { deployment } = record;
  const calls = [
    ...deposits.flatMap((deposit) => firstDeposit(deployment, deployer.address, deposit)),
    ...houseMoneyCalls(deployment, deployer.address, money),
  ];
  const digest = digestOf(calls);
  if (record.house !== undefined && record.house.digest !== digest)
    throw new Error(`${store.name} holds an unfinished house of another plan: the version that began it has to finish it`);
  let { house } = record;
  if (house === undefined) {
    const lacking = (await costOf(client, calls)) - (await client.getBalance({ address: deployer.address }));
    if (lacking > 0n) return lacking;
    const firstNonce = await client.getTransactionCount({ address: deployer.address, blockTag: 'latest' });
    house = { firstNonce, digest, complete: false };
    await store.write({ ...record, house });
  }
  await sendRest({ client, deployer }, calls, house.firstNonce);
  await store.write({ ...record, house: { ...house, complete: true } });
  return undefined;
}

/** At most, in wei: with all of their gas, at the price that `sendAll` offers. */
async function costOf(client: PublicClient, calls: readonly Call[]): Promise<bigint> {
  const { maxFeePerGas } = await client.estimateFeesPerGas();
  return calls.reduce((sum, { value, gas }) => sum + value + gas * maxFeePerGas * 2n, 0n);
}

/** Those of `calls` that are not on the chain yet, where the first of them has the nonce `firstNonce`. */
async function sendRest(sender: Pick<DeployOptions, 'client' | 'deployer'>, calls: readonly Call[], firstNonce: number): Promise<void> {
  const { client, deployer } = sender;
  let sent = (await client.getTransactionCount({ address: deployer.address, blockTag: 'latest' })) - firstNonce;
  while (sent < calls.length) {
    const window = calls.slice(sent, sent + WINDOW);
    await sendAll(sender, window, firstNonce + sent);
    sent += window.length;
  }
}

async function sendAll(
  { client, deployer }: Pick<DeployOptions, 'client' | 'deployer'>,
  calls: readonly Call[],
  firstNonce: number,
): Promise<void> {
  const fees = await client.estimateFeesPerGas();
  const chainId = await client.getChainId();
  const hashes: Hash[] = [];
  for (const [index, { name: _name, ...call }] of calls.entries()) {
    const serializedTransaction = await deployer.signTransaction({
      ...call,
      chainId,
      type: 'eip1559',
      nonce: firstNonce + index,
      maxFeePerGas: fees.maxFeePerGas * 2n,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    });
    hashes.push(await client.sendRawTransaction({ serializedTransaction }));
  }
  for (const [index, hash] of hashes.entries()) {
    const receipt: TransactionReceipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
    if (receipt.status !== 'success') throw new Error(`deployment step "${calls[index]?.name}" was reverted in ${hash}`);
  }
}

/** A chain that was reset under us has our addresses but not our code. */
async function requireCode({ client, store }: Pick<DeployOptions, 'client' | 'store'>, deployment: Deployment): Promise<void> {
  for (const address of [deployment.vault, deployment.faucet, ...deployment.tokens.map((token) => token.address)]) {
    const code = await client.getCode({ address });
    if (code === undefined) throw new Error(`${store.name} names a contract at ${address}, but the chain has no code there`);
  }
}
