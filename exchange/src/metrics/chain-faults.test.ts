/** Alerts by the faults of the chain: the real indexer, vault and node. */
import { exchangeVaultAbi, testTokenAbi, withdrawalTypedData } from '@orrery/contracts';
import { encodeFunctionData, keccak256, toHex } from 'viem';
import { onTestFinished } from 'vitest';
import { alice, bob, deployer, eventually, openDatabase, operator, usdcOf, World } from '../../../services/indexer/src/testing/world.ts';
import { faultOf } from '../testing/fault-of-alert.ts';
import { type Page, scrape } from '../testing/scraped-pages.ts';
import { measureChain } from './measure.ts';
import { Metrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

const DEPOSIT = 1_000_000_000n;
const STOLEN = 18_000_000n;

/** Who holds the operator's key pays itself. */
async function steal(world: World): Promise<void> {
  const { chainId, vault } = world.deployment;
  const id = keccak256(toHex('theft'));
  const withdrawal = { id, token: world.token('USDC'), to: bob.account.address, amount: STOLEN, deadline: 10n ** 12n };
  const signature = await operator.account.signTypedData(withdrawalTypedData({ chainId, vault, withdrawal }));
  const data = encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'release', args: [withdrawal, signature] });
  await world.send(operator, { to: vault, data });
}

async function payIn(world: World): Promise<void> {
  const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [world.deployment.vault, STOLEN] });
  await world.send(deployer, { to: world.token('USDC'), data: mint });
}

faultOf('MoneyMissing', 'coins leave the vault without a withdrawal, until they are paid in again', async () => {
  const db = await openDatabase();
  onTestFinished(() => db.close());
  const world = await World.open(db);
  onTestFinished(() => world.close());
  let now = Date.now();
  const indexer = world.startIndexer({ now: () => now });
  const metrics = new Metrics();
  measureChain(metrics, indexer);
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, { metrics, ready: () => ({ status: 200, text: '' }) });
  onTestFinished(() => server.close());
  /** The comparison waits for its time. @returns the page once it shows this difference */
  const readAt = async (difference: bigint): Promise<Page> => {
    await eventually(() => {
      now += 20_000;
      return usdcOf(indexer)?.difference;
    }).toBe(difference);
    return scrape(server.url);
  };
  await world.deposit(alice, DEPOSIT);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
  const before = [await readAt(0n)];
  await steal(world);
  const during = [await readAt(-STOLEN)];
  await payIn(world);
  return { before, during, after: [await readAt(0n)] };
});
