/** The gateway put together: one server for calls, streams, documentation and the terminal. */
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Peers } from '@orrery/foundation';
import {
  type Position,
  balanceRoutes,
  billRoutes,
  futuresAccountRoutes,
  futuresEntrustRoutes,
  futuresOrderRoutes,
  futuresPositionRoutes,
  futuresQuotationRoutes,
  futuresSymbolRoutes,
  listenKeyRoutes,
  mount,
  olderReadRoutes,
  orderRoutes,
  quotationRoutes,
  sandboxRoutes,
  statusRoutes,
  streamRoutes,
  symbolRoutes,
  transferRoutes,
  withdrawalRoutes,
  type ClientConfig,
  type Mounted,
} from '@orrery/api';
import type { Heart } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';
import { assetHandlers } from './orders/assets.ts';
import { logAccess, type AccessLogOptions } from './http/access-log.ts';
import { mountCalls, type CallPorts } from './http/calls.ts';
import { keepConsoleApart } from './http/console-host.ts';
import { mountCors } from './http/cors.ts';
import { mountDocs } from './pages/docs.ts';
import { Attendance } from './attendance.ts';
import { Floor } from './floor.ts';
import { contractHandlers } from './futures/contract-listing.ts';
import { futuresAccountHandlers, positionHandlers } from './futures/futures-account.ts';
import { positionsOf } from './futures/position-text.ts';
import { FuturesDesk } from './futures/futures-desk.ts';
import { futuresMarketHandlers } from './futures/futures-market.ts';
import { entrustHandlers, futuresOrderHandlers } from './futures/futures-orders.ts';
import { olderReadHandlers } from './futures/older-reads.ts';
import { StallNews } from './futures/stall-news.ts';
import { PracticeNews, together } from './futures/practice-news.ts';
import { sandboxHandlers } from './futures/sandbox.ts';
import { Hosts, refuseOtherHosts } from './http/host.ts';
import { Charges } from './limits/charges.ts';
import { DayCounts } from './limits/day-counts.ts';
import { LIMITS, type Limits } from './limits/limits.ts';
import { symbolHandlers } from './market-data/listing.ts';
import { marketDataHandlers } from './market-data/market-data.ts';
import { OrderDesk } from './orders/order-desk.ts';
import { orderHandlers } from './orders/orders.ts';
import { Origins } from './http/origin.ts';
import type { Authenticator, ContractHistory, History, MarketHistory, NewsSource, OperatorDoor, Part, Rpc, Sandbox } from './ports.ts';
import { Buckets } from './limits/rates.ts';
import { SharedRates } from './limits/shared-rates.ts';
import { SharedCounts, type CountStore } from './limits/shared-counts.ts';
import { ReadBarrier } from './orders/read-barrier.ts';
import { SharedPresence } from './peers.ts';
import { mountRpc } from './http/rpc.ts';
import { createServer } from './http/server.ts';
import { type CallTraces, traceCalls } from './http/traced-calls.ts';
import { SharedMarks } from './signing/shared-marks.ts';
import { SignatureCheck } from './signing/signature.ts';
import { measuresOf, reportAnswers, type AnsweredCall, type GatewayMeasures } from './measures.ts';
import { mountProbes, readiness, type Probe } from './http/probes.ts';
import { type DiskUse, statesOf, statusHandlers, type PartState } from './status.ts';
import { StreamServer } from './stream/stream-server.ts';
import { openGiven, type SharedPlace } from './stream/given.ts';
import type { ListenKeys } from './stream/listen-keys.ts';
import { pageSender } from './pages/page-headers.ts';
import { framesOf, mountSigner, type SignerHostOptions, type SigningPlace } from './pages/signer-host.ts';
import { SignerListener } from './pages/signer-listener.ts';
import { mountTerminal } from './pages/terminal-files.ts';
import { Who } from './signing/who.ts';

export interface GatewayOptions {
  readonly heart: Heart;
  readonly authenticator: Authenticator;
  readonly operators: OperatorDoor;
  readonly history: History;
  readonly marketHistory: MarketHistory;
  readonly contractHistory: ContractHistory;
  /** Unix milliseconds up to which history is complete; undefined while it lacks nothing. */
  readonly historyStaleSince: () => number | undefined;
  readonly news: NewsSource;
  readonly rpc: Rpc;
  /** Where testers may move prices and more; undefined: there are no such calls. */
  readonly sandbox: Sandbox | undefined;
  /** Where daily counts and those of signing in are kept. */
  readonly counts: CountStore;
  /** Of the hashes under which they are there. */
  readonly countsKey: Buffer;
  /** Where several processes serve the same exchange: what is used once is kept there. Undefined: this one is alone. */
  readonly shared?: SharedPlace | undefined;
  /** The other processes that serve callers; undefined: this one is alone. */
  readonly peers?: Peers | undefined;
  /** The calls of the other services. */
  readonly mounts: readonly Mounted[];
  /** Asked at each call: rates in it change while the program runs. */
  readonly config: () => ClientConfig;
  readonly version: string;
  readonly parts: readonly Part[];
  /** Without it nothing is known of the disk. */
  readonly disk?: DiskUse;
  /** The exchange's own contracts: no withdrawal goes there. */
  readonly contracts: ReadonlySet<Address>;
  /** What an account may withdraw within 24 hours: USDC as decimals, from level 1 on. Without it any amount. */
  readonly withdrawalQuotas?: readonly string[];
  /** Folder of the built terminal; undefined serves none. */
  readonly terminalDirectory: string | undefined;
  /** Origins that pages may talk to besides ours. */
  readonly connectSources: readonly string[];
  /** Origins of the captcha's scripts, pictures and answers, where it is another's. */
  readonly captchaSources?: readonly string[];
  /** Origins that serve our pages, port 0 for the port that is taken; empty: the loopback host by which the caller reached us. */
  readonly origins: readonly string[];
  /** The origin of the operators' console, when it has a host of its own. */
  readonly consoleOrigin?: string | undefined;
  /** Where the signing page of e-mail wallets is; undefined: there are none. */
  readonly signingPage?: SigningPlace | undefined;
  /** Origins of pages elsewhere that may call as ours do, with cookies, the console apart. */
  readonly foreignOrigins: readonly string[];
  /** Proxies in front whose X-Forwarded-For is believed; 0: none. */
  readonly proxyHops: number;
  readonly logger: FastifyBaseLogger;
  readonly limits?: Limits;
  /** Of all that waits, counts or expires: no jump of the wall clock moves it far. */
  readonly now: () => number;
  /** What others have signed may go by it, and who may act ends by it: a machine that slept keeps nobody signed in. */
  readonly wallMs: () => number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Since when nobody else takes calls in our place; unix milliseconds. A call signed before, which may have been taken then, is refused. */
  readonly startedAt: number;
  /** Called after each answer, by those who measure. */
  readonly onAnswer?: (call: AnsweredCall) => void;
  /** By which calls are traced, where they are. */
  readonly traces?: CallTraces | undefined;
  /** Unless off, each answered call is a line of the log. */
  readonly accessLog?: 'off' | AccessLogOptions['addresses'];
  /** The gateway can not follow the heart any more: what it says would be old. */
  readonly onFailure: (error: unknown) => void;
}

export interface Gateway {
  /** Whether it can take calls. */
  ready(): Probe;
  /** Of the parts that `/status` reports. */
  states(): readonly PartState[];
  measures(): GatewayMeasures;
  /** The open positions of an account, as its own calls show them. */
  positionsOf(account: AccountId): readonly Position[];
  /** @returns the ports that are taken, `signerPort` where the signing page has one of its own. */
  listen(address: { host: string; port: number }): Promise<{ port: number; signerPort?: number }>;
  close(): Promise<void>;
}

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { heart, authenticator, history, logger, proxyHops, now, wallMs, monotonicMs } = options;
  const limits = options.limits ?? LIMITS;
  const floor = await openFloor(options, limits);
  const site = siteOf(options);
  const { hosts, origins } = site;
  const given = openGiven({ shared: options.shared, authenticator, now });
  const [{ tickets, listenKeys }, buckets] = [given, new Buckets(monotonicMs, options.peers !== undefined)];
  const shared = new SharedCounts({ store: options.counts, key: options.countsKey, now });
  const [days, attendance] = [new DayCounts(shared, now), new Attendance(monotonicMs)];
  const charges = new Charges({ limits, buckets, shared, days });
  const peers = options.peers === undefined ? undefined : joinPeers(options.peers, { buckets, attendance, limits, now: monotonicMs });
  const server = createServer({ limits, charges, logger, proxyHops, now });
  const marks = options.shared === undefined ? undefined : new SharedMarks({ store: options.shared.marks, now, wallMs });
  const signatures = new SignatureCheck({ now, wallMs, startedAt: options.startedAt, monotonicMs, shared: marks });
  const who = new Who({ authenticator, signatures, accounts: floor.accounts, now: wallMs });
  const barrier = new ReadBarrier({ heart, floor, history, waitMs: limits.http.minSeqWaitMs });
  const desk = new OrderDesk({ heart, floor, history, barrier });
  const practiceNews = new PracticeNews({ floor, now, peers: options.peers });
  const stream = new StreamServer({
    floor,
    barrier,
    desk,
    who,
    tickets,
    listenKeys,
    authenticator,
    news: together(options.news, practiceNews, new StallNews(floor)),
    origins,
    // Of connections, which are of one process.
    buckets: new Buckets(monotonicMs),
    charges,
    limits,
    now,
    wallMs,
    monotonicMs,
    elsewhere: peers?.presence,
    callerOf: (request) => upgradeCaller(request, { hosts, proxyHops }),
  });
  const mounted: readonly Mounted[] = [
    ...mount(statusRoutes, statusHandlers({ ...options, stream, attendance, floor, now })),
    ...mount(symbolRoutes, symbolHandlers(floor)),
    ...mount(quotationRoutes, marketDataHandlers({ floor, now, config: options.config })),
    ...mount(orderRoutes, orderHandlers({ desk, floor, history, barrier })),
    ...mount(
      { ...balanceRoutes, ...transferRoutes, ...billRoutes, ...withdrawalRoutes },
      assetHandlers({ ...options, floor, barrier, now }),
    ),
    ...mount(streamRoutes, { streamTicket: ({ principal }) => tickets.issue(principal) }),
    ...futuresCalls(options, { floor, barrier, listenKeys, now, practiceNews }),
    ...options.mounts,
  ];
  const ready = (): Probe => readiness({ parts: options.parts, refusing: () => refusingOf(floor) });
  const signer = signerOf(server, options, limits);
  await mountAll(server, options, { site, signer, mounted, who, attendance, charges, limits });
  mountProbes(server, ready);
  peers?.presence.begin(() => ({ ...stream.open(), isAttended: attendance.takeHere(stream.isWatched) }));
  stream.attach(server.server);
  settleAt(server, site);
  const close = () => closeInTurn([stream, peers, practiceNews, signer.listener, server, floor, days, shared, given, marks]);
  return {
    ...watching(floor, { stream, ready, parts: options.parts }),
    listen: (address) => listenAt(address, { server, listener: signer.listener }),
    close,
  };
}

async function closeInTurn(parts: readonly ({ close(): unknown } | undefined)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

interface Joined {
  readonly buckets: Buckets;
  readonly attendance: Attendance;
  readonly limits: Limits;
  readonly now: () => number;
}

/** What this process and the others say to each other. */
function joinPeers(peers: Peers, { buckets, attendance, limits, now }: Joined) {
  const rates = new SharedRates({ buckets, peers });
  const presence = new SharedPresence({ peers, limits: limits.stream, now, onAttended: () => attendance.seenElsewhere() });
  const close = (): void => {
    rates.close();
    presence.close();
  };
  return { presence, close };
}

interface MountPorts extends Pick<CallPorts, 'who' | 'attendance' | 'charges' | 'limits'> {
  readonly site: ReturnType<typeof siteOf>;
  readonly signer: ReturnType<typeof signerOf>;
  readonly mounted: readonly Mounted[];
}

/** The hosts, the pages and the calls. */
async function mountAll(
  server: FastifyInstance,
  options: GatewayOptions,
  { site, signer, mounted, who, attendance, charges, limits }: MountPorts,
): Promise<void> {
  if (options.onAnswer !== undefined) reportAnswers(server, options.onAnswer);
  if (options.traces !== undefined) traceCalls(server, mounted, options.traces);
  const { accessLog, logger } = options;
  const onCaller = accessLog === undefined || accessLog === 'off' ? undefined : logAccess(server, { logger, addresses: accessLog });
  await mountHosts(server, options, { ...site, signer });
  // Before the calls: it registers a hook for the routes that follow.
  const send = pageSender({ ...options, frames: () => framesOf(signer, portOf(server)) });
  await mountTerminal(server, { directory: options.terminalDirectory, send, charges });
  mountCalls(server, mounted, { ...options, ...site, who, attendance, charges, limits, onCaller });
  mountRpc(server, options.rpc, { charges, limits });
  mountDocs(server, { version: options.version, mounted, send });
}

/** What others see of it. */
const watching = (
  floor: Floor,
  { stream, ready, parts }: { stream: StreamServer; ready: () => Probe; parts: readonly Part[] },
): Omit<Gateway, 'listen' | 'close'> => ({
  ready,
  states: () => statesOf(parts),
  measures: () => measuresOf(floor, stream.count),
  positionsOf: (account) => positionsOf(floor, account, undefined),
});

/** What is served at which host, and which pages of elsewhere may call. */
async function mountHosts(
  server: FastifyInstance,
  options: GatewayOptions,
  { hosts, origins, signer }: ReturnType<typeof siteOf> & { signer: Omit<SignerHostOptions, 'hosts' | 'directory'> },
): Promise<void> {
  refuseOtherHosts(server, hosts);
  keepConsoleApart(server, { origin: options.consoleOrigin, hosts });
  await mountSigner(server, { ...signer, hosts, directory: options.terminalDirectory });
  mountCors(server, origins);
}

/** The calls of perpetual contracts. */
function futuresCalls(
  { heart, contractHistory, sandbox }: GatewayOptions,
  parts: { floor: Floor; barrier: ReadBarrier; listenKeys: ListenKeys; now: () => number; practiceNews: PracticeNews },
): readonly Mounted[] {
  const { floor, listenKeys } = parts;
  const ports = { ...parts, contractHistory, desk: new FuturesDesk({ heart, ...parts }) };
  return [
    ...(sandbox === undefined ? [] : mount(sandboxRoutes, sandboxHandlers({ ...ports, sandbox }))),
    ...mount(futuresSymbolRoutes, contractHandlers(floor)),
    ...mount(olderReadRoutes, olderReadHandlers(ports)),
    ...mount(futuresQuotationRoutes, futuresMarketHandlers(ports)),
    ...mount(futuresOrderRoutes, futuresOrderHandlers(ports)),
    ...mount(futuresEntrustRoutes, entrustHandlers(ports)),
    ...mount(futuresPositionRoutes, positionHandlers(ports)),
    ...mount(futuresAccountRoutes, futuresAccountHandlers(ports)),
    ...mount(listenKeyRoutes, { listenKey: ({ principal, query }) => listenKeys.issue(principal, query.type ?? 'futures') }),
  ];
}

const openFloor = ({ heart, history, marketHistory, now, onFailure }: GatewayOptions, limits: Limits): Promise<Floor> =>
  Floor.open({
    heart,
    marketHistory,
    now,
    // Candles that begin a little late are better than no exchange.
    pastReaches: (seq) => Promise.race([history.reached(seq), pause(limits.http.pastWaitMs, undefined, { ref: false })]),
    onFailure,
  });

const refusingOf = (floor: Floor): string | undefined => (floor.isFollowing ? undefined : 'the exchange has stopped');

/** Where we are: at which hosts, for which pages. */
function siteOf(options: GatewayOptions) {
  const { origins: own, foreignOrigins: foreign, consoleOrigin, signingPage, proxyHops } = options;
  const signerOrigin = signerOriginOf(options);
  const console = consoleOrigin === undefined ? [] : [consoleOrigin];
  const signer = signerOrigin === undefined ? [] : [signerOrigin];
  return {
    hosts: new Hosts({ origins: [...own, ...foreign, ...console, ...signer], proxyHops }),
    origins: new Origins({ own, foreign }),
    consoleOrigins: new Origins({ own: console.length === 0 ? own : console, foreign: [] }),
    // At a port of its own, the page makes its calls to where it is.
    signerOrigins: new Origins({ own: signingPage === undefined ? own : signer, foreign: [] }),
  };
}

const signerOriginOf = ({ signingPage }: GatewayOptions): string | undefined =>
  signingPage !== undefined && 'origin' in signingPage ? signingPage.origin : undefined;

function signerOf(server: FastifyInstance, options: GatewayOptions, limits: Limits): Omit<SignerHostOptions, 'hosts' | 'directory'> {
  const { signingPage, origins: appOrigins } = options;
  const hasPort = signingPage !== undefined && 'port' in signingPage;
  const listener = hasPort ? new SignerListener(server, { limits, port: signingPage.port }) : undefined;
  return { origin: signerOriginOf(options), listener, appOrigins };
}

async function listenAt(
  address: { readonly host: string; readonly port: number },
  { server, listener }: { readonly server: FastifyInstance; readonly listener: SignerListener | undefined },
): Promise<{ port: number; signerPort?: number }> {
  // First: pages that are served know where the signing page is.
  const signerPort = await listener?.listen(address.host);
  await server.listen(address);
  return { port: portOf(server), ...(signerPort !== undefined && { signerPort }) };
}

const portOf = ({ server }: FastifyInstance): number => (server.address() as AddressInfo).port;

/** What the address decides is settled before the first request arrives. */
function settleAt({ server }: FastifyInstance, site: ReturnType<typeof siteOf>): void {
  server.on('listening', () => {
    const bound = server.address() as AddressInfo;
    for (const each of Object.values(site)) each.listensAt(bound);
  });
}

/** As Fastify sees its requests: the socket's address, or what the trusted proxies say. */
function upgradeCaller(
  request: IncomingMessage,
  { hosts, proxyHops }: { hosts: Hosts; proxyHops: number },
): { ip: string; reachedBy: string } {
  const { socket, headers } = request;
  const forwarded =
    proxyHops === 0
      ? []
      : String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .map((ip) => ip.trim());
  return { ip: forwarded.at(-proxyHops) ?? socket.remoteAddress ?? '', reachedBy: hosts.originOf(request) };
}
