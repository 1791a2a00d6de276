/** The chain this program works with: the embedded one, or any other by RPC; with our contracts on it. */
import { join } from 'node:path';
import {
  deploymentFile,
  type DeploymentStore,
  ensureDeployed,
  ensureHouse,
  ensureHouseMoney,
  findDeployment,
} from '@orrery/contracts/deploy';
import { CHAIN_ID, type Deployment } from '@orrery/contracts';
import { assert } from '@orrery/units';
import { createPublicClient, formatEther, type Hex, http, type LocalAccount, parseEther, type PublicClient } from 'viem';
import { foundersOf, signerOf } from './chain-signers.ts';
import type { Config } from './config.ts';
import { chainKeys } from './embedded/chain/chain-keys.ts';
import { startLocalChain } from './embedded/chain/local-chain.ts';
import { rpcGate, type GateOptions } from './embedded/chain/rpc-gate.ts';
import { TransactionReader } from './embedded/chain/transaction-reader.ts';
import { chainTransport } from './embedded/chain/transport.ts';
import { firstDeposits, houseMoney } from './first-liquidity.ts';
import { HOUSE_ELSEWHERE } from './house-addresses.ts';
import { type DeploymentTables, sharedDeployment } from './shared-deployment.ts';
import type { StartedDatabase } from './start-database.ts';
import { StartError } from './start-error.ts';
import type { Surroundings } from './surroundings.ts';

/** The house's own accounts. */
export interface LiquidityAddresses {
  readonly quoter: Hex;
  readonly taker: Hex;
  readonly contractQuoter: Hex;
  readonly contractTaker: Hex;
  readonly liquidator: Hex;
}

export interface RunningChain {
  readonly kind: 'embedded' | 'remote';
  readonly client: PublicClient;
  readonly deployment: Deployment;
  /** Signs withdrawals, sends them and faucet claims. */
  readonly operator: LocalAccount;
  /** Everybody and everything of ours on it: such addresses win nothing. */
  readonly ours: readonly Hex[];
  /** Undefined where they are not funded; then the insurance fund is not either. */
  readonly liquidity: LiquidityAddresses | undefined;
  /** JSON-RPC for browsers, behind a short list of methods. */
  readonly handleRpc: (body: unknown) => Promise<unknown>;
  stop(): Promise<void>;
}

const GENESIS_BALANCE = parseEther('1000000000');
const FAUCET = { faucetStock: parseEther('100000000'), faucetGas: parseEther('0.5'), dailyClaims: 100_000n };

/** @throws StartError with one sentence for the person who runs the program. */
export async function startChain(
  { config, closing, onFatal }: Surroundings,
  database: Promise<Pick<StartedDatabase, 'of'>>,
  say: (line: string) => void,
): Promise<RunningChain> {
  const reader = new TransactionReader();
  const read: Read = (raw, chainId) => reader.read(raw, chainId);
  const chain =
    config.rpcUrl === undefined
      ? await startEmbedded(config, { read, onFailure: onFatal })
      : await connectRemote(config, config.rpcUrl, { read, database, say });
  closing.add({ name: 'the chain', stop: () => chain.stop() });
  closing.add({ name: 'the reader of transactions', stop: () => reader.close() });
  return chain;
}

type Read = GateOptions['read'];

async function startEmbedded(
  config: Config,
  { read, onFailure }: { read: Read; onFailure: (error: Error) => void },
): Promise<RunningChain> {
  const directory = join(config.dataDirectory, 'chain');
  const keys = chainKeys(directory);
  const owners = [keys.deployer, keys.operator, keys.pauser, keys.marketMaker];
  const chain = await startLocalChain({
    directory,
    chainId: CHAIN_ID,
    allocations: owners.map(({ address }) => ({ address, balance: GENESIS_BALANCE })),
    onFailure,
    minBlockIntervalMs: config.blockIntervalMs,
  });
  const liquidity = {
    quoter: keys.marketMaker.address,
    taker: keys.taker.address,
    contractQuoter: keys.contractQuoter.address,
    contractTaker: keys.contractTaker.address,
    liquidator: keys.liquidator.address,
  };
  try {
    const client = createPublicClient({ transport: chainTransport(chain), pollingInterval: 50, cacheTime: 0 });
    const deployment = await chain.withQuickBlocks(async () => {
      const deployed = await ensureDeployed({
        client,
        deployer: keys.deployer,
        operator: keys.operator.address,
        pauser: keys.pauser.address,
        lister: keys.lister.address,
        disputeSeconds: config.disputeSeconds,
        deposits: firstDeposits(liquidity),
        store: deploymentFile(join(directory, 'deployment.json')),
        ...FAUCET,
      });
      // Apart from the deployment: a chain that was deployed before there were contracts gets it too.
      await ensureHouseMoney({ client, deployer: keys.deployer }, deployed, houseMoney(liquidity));
      return deployed;
    });
    return {
      kind: 'embedded',
      client,
      deployment,
      operator: keys.operator,
      ours: [...Object.values(keys).map(({ address }) => address), ...contractsOf(deployment)],
      liquidity,
      handleRpc: rpcGate(chain, { read }),
      stop: () => chain.stop(),
    };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

interface RemoteParts {
  readonly read: Read;
  readonly database: Promise<Pick<StartedDatabase, 'of'>>;
  readonly say: (line: string) => void;
}

async function connectRemote(config: Config, url: string, { read, database, say }: RemoteParts): Promise<RunningChain> {
  const client = createPublicClient({ transport: http(url, { retryCount: 2, timeout: 10_000 }) });
  const { signers } = config;
  assert(signers.operator !== undefined, 'a chain elsewhere comes with the account of the operator');
  const operator = await signerOf(signers.operator, signers);
  const chainId = await client.getChainId().catch((cause: unknown) => {
    throw new StartError('The chain at ORRERY_RPC_URL does not answer.', { cause });
  });
  const { deployment, isHouseFunded } = await sharedDeployment({
    db: (await database).of<DeploymentTables>(),
    client,
    file: deploymentFile(join(config.dataDirectory, 'deployment.json')),
    say,
    // A finished deployment needs the operator alone: the admin's key can be away.
    deploy: async (store) =>
      (await findDeployment({ client, store })) ??
      ensureDeployed({
        client,
        operator: operator.address,
        disputeSeconds: config.disputeSeconds,
        ...(await foundersOf(signers, operator.address)),
        deposits: [],
        store,
        ...FAUCET,
      }),
    fund: mayFund(config) ? (store) => fundHouse(config, { client, store, say }) : undefined,
  });
  const handleRpc = rpcGate(
    {
      chainId,
      read: (method, params) => client.request({ method, params } as never),
      send: ({ raw }) => client.sendRawTransaction({ serializedTransaction: raw }),
    },
    { read },
  );
  return {
    kind: 'remote',
    client,
    deployment,
    operator,
    ours: [operator.address, ...Object.values(HOUSE_ELSEWHERE), ...contractsOf(deployment)],
    liquidity: isHouseFunded ? HOUSE_ELSEWHERE : undefined,
    handleRpc,
    stop: () => Promise.resolve(),
  };
}

/** An exchange that is started to be looked at, or for cancels, sends nothing. */
const mayFund = ({ accepts, marketMaker, signers }: Config): boolean =>
  accepts === 'everything' && marketMaker === 'on' && signers.deployer !== undefined;

/** Where the deployer has too little of the chain's coin, the exchange runs without a house. */
async function fundHouse(
  { signers }: Pick<Config, 'signers'>,
  { client, store, say }: { readonly client: PublicClient; readonly store: DeploymentStore; readonly say: (line: string) => void },
): Promise<void> {
  assert(signers.deployer !== undefined, 'the house gets its money from the deployer');
  const deployer = await signerOf(signers.deployer, signers);
  const house = { deposits: firstDeposits(HOUSE_ELSEWHERE), money: houseMoney(HOUSE_ELSEWHERE) };
  const lacking = await ensureHouse({ client, deployer, store }, house);
  if (lacking !== undefined)
    say(`nobody quotes: the deployer ${deployer.address} lacks ${formatEther(lacking)} of the chain's coin for the market-maker`);
}

function contractsOf({ vault, faucet, tokens }: Deployment): readonly Hex[] {
  return [vault, faucet, ...tokens.map(({ address }) => address)];
}
