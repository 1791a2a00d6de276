/** For tests: a real chain that reorganises on demand, the contracts on it, a real database, the real engine, people. */
import { leaseMigrations, type LeaseTables, localLeases } from '@orrery/foundation';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Deployment, exchangeVaultAbi, testTokenAbi } from '@orrery/contracts';
import { type Anvil, anvilCall, startAnvil } from '@orrery/contracts/anvil';
import { deploymentFile, ensureDeployed } from '@orrery/contracts/deploy';
import type { Event } from '@orrery/protocol';
import { type AccountId, type Address, type AssetId, assetId, atoms } from '@orrery/units';
import { BalancesView } from '@orrery/views';
import { sql } from 'kysely';
import {
  createPublicClient,
  encodeFunctionData,
  type Hash,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  type PublicClient,
  toHex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type Database } from '../../../../exchange/src/database.ts';
import { registerListing, USUAL_LISTING } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { lowerCase } from '../chain-block.ts';
import { type Indexer, type IndexerOptions, openIndexer } from '../indexer.ts';
import { type IndexerTables, migrations } from '../tables.ts';

const CHAIN_ID = 138565;
/** Published by anvil for everybody: nothing of value is ever on such a chain. */
const MNEMONIC = 'test test test test test test test test test test test junk';

export const USDC: AssetId = assetId(1);
export const SOSO: AssetId = assetId(6);

export interface Person {
  readonly account: LocalAccount;
  readonly address: Address;
}

function person(addressIndex: number): Person {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex });
  return { account, address: lowerCase(account.address) };
}

export const deployer = person(0);
export const operator = person(1);
export const alice = person(2);
export const bob = person(3);

/** Polls a condition, with a limit for slow machines. */
export const eventually = <Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value | Promise<Value>>> =>
  expect.poll(read, { timeout: 30_000, interval: 20 });

/** Of the vault and the ledger in USDC, when both were last compared. */
export const usdcOf = (indexer: Indexer): ReturnType<Indexer['solvency']>[number] | undefined =>
  indexer.solvency().find(({ coin }) => coin === 'USDC');

export const openDatabase = (options: Parameters<typeof temporaryDatabase>[1] = {}): Promise<Database<IndexerTables & LeaseTables>> =>
  temporaryDatabase<IndexerTables & LeaseTables>({ ...migrations, ...leaseMigrations }, options);

async function emptyTables(db: Database<IndexerTables & LeaseTables>): Promise<void> {
  const { rows } = await sql<{
    tablename: string;
  }>`select tablename from pg_tables where tablename like 'indexer_%' or tablename = 'foundation_lease'`.execute(db.sql);
  await sql`truncate ${sql.join(rows.map(({ tablename }) => sql.table(tablename)))}`.execute(db.sql);
}

export class World {
  readonly heart: MemoryHeart;
  /** Of the heart. */
  readonly clock: { now: () => number };
  readonly db: Database<IndexerTables & LeaseTables>;
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly troubles: Error[] = [];
  readonly #anvil: Anvil;
  readonly #directory: string;
  #indexer: Indexer | undefined;

  private constructor(parts: {
    heart: MemoryHeart;
    clock: { now: () => number };
    db: Database<IndexerTables & LeaseTables>;
    client: PublicClient;
    deployment: Deployment;
    anvil: Anvil;
    directory: string;
  }) {
    this.heart = parts.heart;
    this.clock = parts.clock;
    this.db = parts.db;
    this.client = parts.client;
    this.deployment = parts.deployment;
    this.#anvil = parts.anvil;
    this.#directory = parts.directory;
  }

  /** Every transaction is mined at once into a block of its own. The database is emptied. */
  static async open(db: Database<IndexerTables & LeaseTables>, { disputeSeconds = 0 } = {}): Promise<World> {
    await emptyTables(db);
    const directory = await mkdtemp(join(tmpdir(), 'orrery-indexer-'));
    const anvil = await startAnvil({
      directory,
      flags: ['--chain-id', String(CHAIN_ID), '--mnemonic', MNEMONIC, '--cache-path', directory, '--silent'],
    });
    const client = createPublicClient({ transport: http(anvil.url, { retryCount: 0 }), pollingInterval: 20, cacheTime: 0 });
    await anvilCall(anvil.url, 'anvil_setBalance', [deployer.account.address, toHex(10n ** 24n)]);
    const deployment = await ensureDeployed({
      client,
      deployer: deployer.account,
      operator: operator.account.address,
      pauser: deployer.account.address,
      lister: deployer.account.address,
      disputeSeconds,
      faucetStock: 10n ** 23n,
      faucetGas: 10n ** 17n,
      dailyClaims: 100n,
      store: deploymentFile(join(directory, 'deployment.json')),
      deposits: [],
    });
    const clock = { now: () => Date.now() };
    const heart = new MemoryHeart(() => clock.now());
    // The caps here are those of the vault.
    await registerListing(heart, { ...USUAL_LISTING, withdrawalCaps: [] });
    return new World({ heart, clock, db, client, deployment, anvil, directory });
  }

  async close(): Promise<void> {
    await this.stopIndexer();
    await this.#anvil.end();
    await rm(this.#directory, { recursive: true, force: true });
  }

  startIndexer(changes: Partial<IndexerOptions> = {}): Indexer {
    const windowNow = changes.now ?? Date.now;
    this.#indexer = openIndexer({ ...this.indexerOptions(), windowNow, ...changes });
    return this.#indexer;
  }

  /** Of a process that is alone. */
  indexerOptions(): IndexerOptions {
    return {
      leases: localLeases(),
      heart: this.heart,
      sql: this.db.sql,
      reads: this.db.sql,
      client: this.client,
      deployment: this.deployment,
      operator: operator.account,
      confirmations: 1,
      pollMs: 20,
      now: Date.now,
      windowNow: Date.now,
      onTrouble: (error) => this.troubles.push(error),
    };
  }

  async stopIndexer(): Promise<void> {
    await this.#indexer?.stop();
    this.#indexer = undefined;
  }

  rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return anvilCall(this.#anvil.url, method, params);
  }

  mine(blocks = 1): Promise<unknown> {
    return this.rpc('anvil_mine', [toHex(blocks)]);
  }

  async passTime(seconds: number): Promise<void> {
    await this.rpc('evm_increaseTime', [seconds]);
    await this.mine();
  }

  /** The newest blocks are replaced by empty ones; what was in them is gone. */
  async reorg(depth: number): Promise<void> {
    await this.rpc('anvil_reorg', [depth, []]);
  }

  /** Until the indexer has read the chain to its head. */
  async caughtUp(): Promise<void> {
    const { hash } = await this.client.getBlock();
    const deadline = Date.now() + 20_000;
    const read = () => this.db.sql.selectFrom('indexer_block').select('number').where('hash', '=', hash).executeTakeFirst();
    while ((await read()) === undefined) {
      if (Date.now() > deadline) throw new Error('the indexer does not catch up', { cause: this.troubles.at(-1) });
    }
  }

  token(code: string): Hex {
    const token = this.deployment.tokens.find((candidate) => candidate.code === code);
    if (token === undefined) throw new Error(code);
    return token.address;
  }

  async send(who: Person, call: { to: Hex; data?: Hex; value?: bigint }): Promise<Hash> {
    const nonce = await this.client.getTransactionCount({ address: who.account.address, blockTag: 'pending' });
    const raw = await who.account.signTransaction({
      ...call,
      type: 'eip1559',
      chainId: CHAIN_ID,
      nonce,
      gas: 500_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    });
    return this.client.sendRawTransaction({ serializedTransaction: raw });
  }

  /** As a wallet does it: tokens in hand, approve, deposit. */
  /** @param payee whose account it is for */
  async deposit(who: Person, amount: bigint, payee: Person = who): Promise<Hash> {
    const usdc = this.token('USDC');
    const { vault } = this.deployment;
    await this.send(deployer, {
      to: usdc,
      data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [who.account.address, amount] }),
    });
    await this.send(who, { to: usdc, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [vault, amount] }) });
    return this.send(who, {
      to: vault,
      data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositERC20', args: [usdc, amount, payee.account.address] }),
    });
  }

  depositNative(who: Person, value: bigint): Promise<Hash> {
    const data = encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositNative', args: [who.account.address] });
    return this.send(who, { to: this.deployment.vault, data, value });
  }

  balanceOf(code: string, address: Hex): Promise<bigint> {
    return this.client.readContract({ address: this.token(code), abi: testTokenAbi, functionName: 'balanceOf', args: [address] });
  }

  /** Free and held in the funding wallet, by the ledger. */
  funding(who: Person, asset: AssetId): { free: bigint; held: bigint } {
    const balances = new BalancesView();
    const view = this.heart.open();
    view.close();
    for (const fact of view.facts) balances.apply(fact);
    const account = this.accountOf(who);
    if (account === undefined) return { free: 0n, held: 0n };
    const { free, held } = balances.get({ account, wallet: 'funding', asset });
    return { free, held };
  }

  accountOf(who: Person): AccountId | undefined {
    return this.events('AccountOpened').find((event) => event.address === who.address)?.account;
  }

  events<Type extends Event['type']>(type: Type): readonly Extract<Event, { type: Type }>[] {
    return this.heart.history
      .flatMap(({ events }) => events)
      .filter((event): event is Extract<Event, { type: Type }> => event.type === type);
  }

  /** Answers the withdrawal's id. */
  async withdraw(who: Person, options: { asset: AssetId; amount: bigint; to?: Address; name: string }): Promise<Hex> {
    const account = this.accountOf(who);
    if (account === undefined) throw new Error('no account');
    const withdrawalId = keccak256(toHex(options.name));
    await this.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    const { events } = await this.heart.submit({
      type: 'RequestWithdrawal',
      account,
      withdrawalId,
      asset: options.asset,
      amount: atoms(options.amount),
      to: options.to ?? who.address,
    });
    const [event] = events;
    if (event?.type !== 'WithdrawalHeld') throw new Error(JSON.stringify(event));
    return withdrawalId;
  }
}
