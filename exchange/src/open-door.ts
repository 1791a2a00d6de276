/** The gateway with the calls of every service, listening. */
import { fileURLToPath } from 'node:url';
import { accountsService } from '@orrery/accounts';
import { campaignService } from '@orrery/campaign';
import type { Changes, LeasePort, Peers } from '@orrery/foundation';
import { type AnsweredCall, createGateway, type Gateway, type GatewayOptions, type GatewayTables, type NewsSource } from '@orrery/gateway';
import { indexerService } from '@orrery/indexer';
import { operatorsService } from '@orrery/operators';
import { otcService } from '@orrery/otc';
import type { Heart } from '@orrery/protocol';
import { millis, parseAddress, type Address } from '@orrery/units';
import { accountNews } from './account-news.ts';
import { clientConfig } from './client-config.ts';
import { startDiskTrend } from './disk-trend.ts';
import type { MarketMakerPart } from './liquidity.ts';
import { staleness } from './history/freshness.ts';
import { MarketHistory } from './market-history.ts';
import { explainPort } from './port.ts';
import type { HeartReadiness, HistoryTime } from './program-heart.ts';
import { PushNews } from './push-news.ts';
import type { RatePort } from './rate-port.ts';
import { openSandbox } from './sandbox.ts';
import { type NewsTables, SharedNews } from './shared-news.ts';
import type { RunningChain } from './start-chain.ts';
import { historyService } from './services/history.ts';
import { pricesService } from './services/prices.ts';
import type { StartedServices } from './services/service.ts';
import type { StartedDatabase } from './start-database.ts';
import { asError, troubleOf, type Surroundings } from './surroundings.ts';
import { version } from './version.ts';

const TERMINAL = fileURLToPath(new URL('../../clients/terminal/dist', import.meta.url));

export interface House {
  readonly heart: Heart & HeartReadiness & HistoryTime;
  /** Where there is one. */
  readonly marketMaker: MarketMakerPart | undefined;
  readonly chain: RunningChain;
  readonly database: StartedDatabase;
  readonly services: StartedServices;
  readonly cnyRate: Pick<RatePort, 'now'>;
  readonly leases: LeasePort;
  /** Measures each answer. */
  readonly onAnswer: ((call: AnsweredCall) => void) | undefined;
  /** When this process became the one writer of the journal; unix milliseconds. */
  readonly startedAt: number;
}

/** @returns the gateway, and the address of the page. */
export async function openDoor(
  surroundings: Surroundings,
  { heart, marketMaker, chain, database, services, cnyRate, leases, startedAt, onAnswer }: House,
): Promise<{ readonly gateway: Gateway; readonly url: string }> {
  const { config, closing, onFatal } = surroundings;
  const { projector, history } = services.of(historyService);
  // The gateway's candles and tapes start from history: no trade may be missing between the two.
  await projector.reached(heart.status().seq).catch(troubleOf(surroundings, 'projector'));
  let ports: { readonly port: number; readonly signerPort?: number } = { port: config.port };
  const own = accountNews(services.of(campaignService), services.of(operatorsService), services.of(otcService));
  const news = database.changes === undefined ? own : shareNews(surroundings, own, { ...database, changes: database.changes });
  const peers = await openPeers(surroundings);
  const gateway = await createGateway({
    heart,
    authenticator: services.of(accountsService).authenticator,
    operators: services.of(operatorsService),
    history,
    marketHistory: new MarketHistory({ prices: services.of(pricesService).source, history, now: () => millis(heart.nowMs()) }),
    contractHistory: history.contracts,
    news,
    rpc: { handle: chain.handleRpc },
    sandbox: openSandbox({ heart, services, chain, scope: config.sandbox }),
    counts: database.counts,
    countsKey: services.of(accountsService).box.keyFor('counts'),
    shared:
      database.marks === undefined
        ? undefined
        : { db: database.of<GatewayTables>(), marks: database.marks, secret: services.of(accountsService).box.keyFor('listen keys') },
    peers,
    mounts: services.calls,
    config: () => clientConfig(config, { cnyRate: cnyRate.now(), ...ports }),
    version,
    historyStaleSince: () => projector.staleSince(),
    parts: [...partsOf(heart, services), ...(marketMaker === undefined ? [] : [marketMaker])],
    disk: startDiskTrend(surroundings, database),
    contracts: contractsOf(chain),
    withdrawalQuotas: config.installation.withdrawalQuotas,
    terminalDirectory: TERMINAL,
    connectSources: config.analytics === undefined ? config.apiOrigins : [...config.apiOrigins, config.analytics.host],
    captchaSources: config.geetest === undefined ? [] : [...new Set([new URL(config.geetest.script).origin, config.geetest.api])],
    origins: config.publicOrigins,
    consoleOrigin: config.consoleOrigin,
    signingPage: config.signingPage,
    foreignOrigins: config.foreignOrigins,
    proxyHops: config.proxyHops,
    ...reportsOf(surroundings),
    now: () => heart.nowMs(),
    wallMs: Date.now,
    monotonicMs: () => performance.now(),
    startedAt,
    ...(onAnswer !== undefined && { onAnswer }),
    onFailure: (error) => onFatal(asError(error)),
  });
  await startPushNews(surroundings, { heart, services, leases, news, gateway });
  closing.add({ name: 'the gateway', stop: () => gateway.close() });
  // The clients of the house call their own process; a worker alone is called by nobody.
  const door = config.duties.has('gateway') ? { host: config.host, port: config.port } : { host: '127.0.0.1', port: 0 };
  if (config.duties.has('gateway') || config.duties.has('market-maker')) ports = await gateway.listen(door).catch(explainPort(door));
  return { gateway, url: `http://${reachableAt(door.host)}:${ports.port}` };
}

/** The other processes that serve callers. What speaks to them is loaded where there are any. */
async function openPeers(surroundings: Surroundings): Promise<Peers | undefined> {
  const { events, duties } = surroundings.config;
  if (events === undefined || !(duties.has('gateway') || duties.has('market-maker'))) return undefined;
  return (await import('./link/peers.ts')).openPeers(surroundings, 'gateways');
}

async function startPushNews(
  surroundings: Surroundings,
  {
    heart,
    services,
    leases,
    news,
    gateway,
  }: Pick<House, 'heart' | 'services' | 'leases'> & { readonly news: NewsSource; readonly gateway: Gateway },
): Promise<void> {
  const pushNews = new PushNews({
    heart,
    push: services.of(accountsService).push,
    directory: services.of(accountsService).directory,
    positionsOf: (account) => gateway.positionsOf(account),
    news,
    lease: await leases.open('push messages'),
    onTrouble: troubleOf(surroundings, 'push'),
  });
  surroundings.closing.add({ name: 'the push messages', stop: () => pushNews.stop() });
}

function shareNews(
  surroundings: Surroundings,
  own: NewsSource,
  { of, changes }: Pick<StartedDatabase, 'of'> & { changes: Changes },
): NewsSource {
  const shared = new SharedNews({ own, db: of<NewsTables>(), changes, onTrouble: troubleOf(surroundings, 'news') });
  surroundings.closing.add({ name: 'the news of accounts', stop: () => shared.stop() });
  return shared;
}

/** What the gateway writes and sends of its calls. */
const reportsOf = ({ log, config, traces }: Surroundings): Pick<GatewayOptions, 'logger' | 'accessLog' | 'traces'> => ({
  logger: log,
  accessLog: config.accessLog,
  traces,
});

function partsOf(heart: HeartReadiness, services: StartedServices): Parameters<typeof createGateway>[0]['parts'] {
  const { projector } = services.of(historyService);
  return [
    { name: 'journal', unready: () => heart.unready() },
    { name: 'history', unready: () => projector.status().failure ?? staleness(projector.staleSince()) },
    { name: 'deposits and withdrawals', unready: () => services.of(indexerService).unready() },
    { name: 'audit log', unready: () => services.of(operatorsService).auditUntrue() },
  ];
}

/** The host for programs of this machine: where every address is listened on, the loopback one. */
function reachableAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** No withdrawal goes to one of our own contracts. */
function contractsOf({ deployment }: RunningChain): ReadonlySet<Address> {
  const all = [deployment.vault, deployment.faucet, ...deployment.tokens.map(({ address }) => address)];
  return new Set(all.map((text) => parseAddress(text)).filter((address) => address !== undefined));
}
