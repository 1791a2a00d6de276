/** The gateway with the calls of every service, listening. */
import { fileURLToPath } from 'node:url';
import {
  agreementRoutes,
  apiKeyRoutes,
  authRoutes,
  blockDeskRoutes,
  campaignDeskRoutes,
  clusterDeskRoutes,
  collectionRoutes,
  depositRoutes,
  explorerRoutes,
  faucetRoutes,
  inviteRoutes,
  luckyBlockRoutes,
  luckyDeskRoutes,
  noticeDeskRoutes,
  noticeRoutes,
  operatorDoorRoutes,
  operatorRoutes,
  leaderboardRoutes,
  privacyDeskRoutes,
  rewardDeskRoutes,
  sessionRoutes,
  taskDeskRoutes,
  taskRoutes,
  whitelistDeskRoutes,
  whitelistRoutes,
} from '@orrery/api';
import { createGateway, mount, type Mounted } from '@orrery/gateway';
import type { Heart } from '@orrery/protocol';
import { millis, parseAddress, type Address } from '@orrery/units';
import { accountNews } from './account-news.ts';
import { clientConfig } from './client-config.ts';
import { MarketHistory } from './market-history.ts';
import { explainPort } from './port.ts';
import type { RunningChain } from './start-chain.ts';
import type { Services } from './start-services.ts';
import { asError, troubleOf, type Surroundings } from './surroundings.ts';
import { version } from './version.ts';

const TERMINAL = fileURLToPath(new URL('../../clients/terminal/dist', import.meta.url));

export interface House {
  readonly heart: Heart;
  readonly chain: RunningChain;
  readonly services: Services;
}

/** @returns the address of the page. */
export async function openDoor(surroundings: Surroundings, { heart, chain, services }: House): Promise<string> {
  const { config, closing, log, onFatal } = surroundings;
  const { accounts, campaign, operators, projector, history, indexer, prices } = services;
  // The gateway's candles and tapes start from history: no trade may be missing between the two.
  await projector.reached(heart.status().seq).catch(troubleOf(surroundings, 'projector'));
  const gateway = await createGateway({
    heart,
    authenticator: accounts.authenticator,
    operators,
    history,
    marketHistory: new MarketHistory({ prices, history, now: () => millis(Date.now()) }),
    news: accountNews(campaign),
    rpc: { handle: chain.handleRpc },
    mounts: mounts(services),
    config: clientConfig(config),
    version,
    historyStaleSince: () => projector.staleSince(),
    parts: [
      { name: 'history', unready: () => projector.status().failure ?? stale(projector.staleSince()) },
      { name: 'deposits and withdrawals', unready: () => indexer.unready() },
    ],
    contracts: contractsOf(chain),
    terminalDirectory: TERMINAL,
    connectSources: config.apiOrigins,
    origins: config.publicOrigins,
    consoleOrigin: config.consoleOrigin,
    foreignOrigins: config.foreignOrigins,
    proxyHops: config.proxyHops,
    logger: log,
    onFailure: (error) => onFatal(asError(error)),
  });
  closing.add({ name: 'the gateway', stop: () => gateway.close() });
  const { port } = await gateway.listen({ host: config.host, port: config.port }).catch(explainPort(config));
  return `http://${config.host}:${port}`;
}

const stale = (since: number | undefined): string | undefined =>
  since === undefined ? undefined : `history is stale since ${new Date(since).toISOString()}: what came later is not written yet`;

const mounts = ({ accounts, campaign, indexer, operators }: Services): readonly Mounted[] => [
  ...mount(authRoutes, accounts.handlers.auth),
  ...mount(sessionRoutes, accounts.handlers.session),
  ...mount(agreementRoutes, accounts.handlers.agreement),
  ...mount(apiKeyRoutes, accounts.handlers.apiKey),
  ...mount(collectionRoutes, accounts.handlers.collection),
  ...mount(whitelistRoutes, campaign.handlers.whitelist),
  ...mount(faucetRoutes, campaign.handlers.faucet),
  ...mount(taskRoutes, campaign.handlers.task),
  ...mount(inviteRoutes, campaign.handlers.invite),
  ...mount(luckyBlockRoutes, campaign.handlers.luckyBlock),
  ...mount(leaderboardRoutes, campaign.handlers.leaderboard),
  ...mount(depositRoutes, indexer.handlers.deposit),
  ...mount(explorerRoutes, indexer.handlers.explorer),
  ...mount(noticeRoutes, operators.handlers.notice),
  ...mount(operatorDoorRoutes, operators.handlers.door),
  ...mount(operatorRoutes, operators.handlers.operator),
  ...mount(privacyDeskRoutes, operators.handlers.privacyDesk),
  ...mount(noticeDeskRoutes, operators.handlers.noticeDesk),
  ...mount(whitelistDeskRoutes, operators.handlers.whitelistDesk),
  ...mount(blockDeskRoutes, operators.handlers.blockDesk),
  ...mount(rewardDeskRoutes, operators.handlers.rewardDesk),
  ...mount(luckyDeskRoutes, operators.handlers.luckyDesk),
  ...mount(taskDeskRoutes, operators.handlers.taskDesk),
  ...mount(campaignDeskRoutes, operators.handlers.campaignDesk),
  ...mount(clusterDeskRoutes, operators.handlers.clusterDesk),
];

/** No withdrawal goes to one of our own contracts. */
function contractsOf({ deployment }: RunningChain): ReadonlySet<Address> {
  const all = [deployment.vault, deployment.faucet, ...deployment.tokens.map(({ address }) => address)];
  return new Set(all.map((text) => parseAddress(text)).filter((address) => address !== undefined));
}
