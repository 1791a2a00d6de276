/** A whole exchange for a test: sequencer on a temporary folder, gateway on a free port, two funded accounts with API keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@orrery/api';
import { MemoryContractHistory } from '../../../../services/gateway/src/testing/memory-contract-history.ts';
import { createEngine, decodeState } from '@orrery/engine';
import { createGateway } from '@orrery/gateway';
import { nodeDisk, openSequencer } from '@orrery/sequencer';
import type { Command, Heart, MarketState } from '@orrery/protocol';
import { accountId, assetId, atoms, lots, marketId, millis, parseAddress, ppm, ticks, type AccountId, type Address } from '@orrery/units';

const MARKET = marketId(1);
const [USDC, BTC] = [assetId(1), assetId(2)];

interface TestAccount {
  readonly account: AccountId;
  readonly accessKey: string;
  readonly secret: string;
}

export interface TestExchange {
  readonly baseUrl: string;
  readonly heart: Heart;
  readonly maker: TestAccount;
  readonly taker: TestAccount;
  setPrice(price: number): Promise<void>;
  setState(state: MarketState): Promise<void>;
  /** Every connection is lost, and the same address answers again. */
  restartGateway(): Promise<void>;
  close(): Promise<void>;
}

export async function openExchange(): Promise<TestExchange> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-maker-'));
  const fail = (error: unknown): void => {
    throw error;
  };
  const heart = await openSequencer({
    directory,
    engines: { createEngine, decodeState },
    disk: nodeDisk,
    clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
    onFatal: fail,
    log: () => {},
    limits: { segmentBytes: 1 << 20, reserveBytes: 1 << 20, minFreeRatio: 0 },
  });
  const submit = async (command: Command): Promise<void> => {
    const { events } = await heart.submit(command);
    const refused = events.find((event) => event.type === 'CommandRejected');
    if (refused !== undefined) throw new Error(`${command.type}: ${JSON.stringify(refused)}`);
  };
  for (const command of LISTING) await submit(command);
  const accounts = [await fund(submit, 1, 10n), await fund(submit, 2, 1n)] as const;
  let gateway = await gatewayOf(heart, accounts, fail);
  const { port } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    heart,
    maker: accounts[0],
    taker: accounts[1],
    setPrice: (price) => submit({ type: 'SetIndexPrice', market: MARKET, price: ticks(price) }),
    setState: (state) => submit({ type: 'SetMarketState', market: MARKET, state }),
    async restartGateway() {
      await gateway.close();
      gateway = await gatewayOf(heart, accounts, fail);
      await gateway.listen({ host: '127.0.0.1', port });
    },
    async close() {
      await gateway.close();
      await heart.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const LISTING: readonly Command[] = [
  { type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' },
  { type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' },
  {
    type: 'RegisterMarket',
    market: MARKET,
    symbol: 'BTC_USDC',
    base: BTC,
    quote: USDC,
    pricePrecision: 1,
    sizePrecision: 5,
    lotAtoms: atoms(1_000n),
    tickLotAtoms: atoms(1n),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
    minSize: lots(1),
    maxSize: lots(10_000_000),
    minNotional: atoms(5_000_000n),
    maxNotional: atoms(4_000_000_000_000n),
    makerFeePpm: ppm(500),
    takerFeePpm: ppm(1_000),
    limitBandPpm: ppm(100_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 200,
  },
];

async function fund(submit: (command: Command) => Promise<void>, number: number, share: bigint): Promise<TestAccount> {
  const account = accountId(number);
  const address = addressOf(number);
  await submit({ type: 'OpenAccount', address });
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await submit({ type: 'SetAccountFlag', account, flag, value: true });
  for (const [asset, amount] of [
    [USDC, share * 1_000_000_000_000n],
    [BTC, share * 1_000_000_000n],
  ] as const) {
    await submit({ type: 'CreditDeposit', key: `1:${number}:${asset}`, address, asset, amount: atoms(amount) });
    await submit({ type: 'Transfer', account, transferId: `first-${asset}`, asset, amount: atoms(amount), from: 'funding', to: 'spot' });
  }
  return { account, accessKey: `access-key-of-account-${number}`, secret: `secret of ${number}` };
}

function addressOf(number: number): Address {
  const address = parseAddress(`0x${String(number).padStart(40, '0')}`);
  if (address === undefined) throw new Error('not an address');
  return address;
}

function gatewayOf(heart: Heart, accounts: readonly TestAccount[], onFailure: (error: unknown) => void): ReturnType<typeof createGateway> {
  const none = async () => ({ items: [], total: 0, next: null });
  return createGateway({
    counts: 'memory',
    countsKey: Buffer.alloc(32, 7),
    sandbox: undefined,
    heart,
    authenticator: {
      session: () => 'SessionExpired',
      apiKey: (accessKey) => {
        const found = accounts.find((each) => each.accessKey === accessKey);
        return found === undefined
          ? 'InvalidApiKey'
          : { principal: principalOf(found), secret: found.secret, ipList: [], legacySigning: false };
      },
      checkWithdrawal: () => Promise.reject(new Error('no withdrawals here')),
      levelOf: () => 1,
      onRevoked: () => () => {},
    },
    operators: { enter: () => Promise.reject(new Error('no operators here')) },
    history: {
      reached: async () => {},
      orders: none,
      order: async () => undefined,
      fills: none,
      bills: none,
      transfers: none,
      withdrawals: none,
    },
    marketHistory: {
      minutes: async () => [],
      contractMinutes: async () => ({ common: [], trades: [], mark: [], index: [] }),
      trades: async () => [],
    },
    contractHistory: new MemoryContractHistory(),
    news: { onNews: () => () => undefined },
    rpc: { handle: async () => null },
    now: Date.now,
    wallMs: Date.now,
    monotonicMs: () => performance.now(),
    startedAt: Date.now() - 60_000,
    mounts: [],
    config: () => ({
      environment: 'test',
      termsCode: 'TERMS',
      defaultSymbol: 'BTC_USDC',
      defaultChainId: 138565,
      chains: [],
      blockedAddresses: [],
      burnerWallet: false,
      walletConnectProjectId: null,
      signerOrigin: null,
      analytics: null,
      joinWhitelistUrl: null,
      submitBugUrl: null,
      appLinks: { appStore: null, googlePlay: null },
      currencyRates: [],
    }),
    version: '0',
    parts: [],
    contracts: new Set(),
    terminalDirectory: undefined,
    connectSources: [],
    origins: [],
    historyStaleSince: () => undefined,
    foreignOrigins: [],
    proxyHops: 0,
    logger: SILENT,
    onFailure,
  });
}

const principalOf = ({ account, accessKey }: TestAccount): Principal => ({
  account,
  address: addressOf(account),
  via: 'apiKey',
  credential: accessKey,
  permission: 'TRADE',
  tier: 'marketMaker',
  endsAt: millis(2 ** 52),
});

type Logger = Parameters<typeof createGateway>[0]['logger'];

const ignore = (): void => {};
const SILENT: Logger = {
  level: 'silent',
  fatal: ignore,
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  trace: ignore,
  silent: ignore,
  child: () => SILENT,
};
