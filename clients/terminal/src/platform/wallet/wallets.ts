/** The wallets of this browser behind our own interface: announced ones (EIP-6963), a phone by WalletConnect, the burner, the e-mail wallet. */
import {
  connect,
  createConfig,
  createStorage,
  disconnect,
  getBalance,
  getConnection,
  http,
  injected,
  readContract,
  reconnect,
  signMessage,
  switchChain,
  waitForTransactionReceipt,
  watchConnection,
  watchConnectors,
  writeContract,
} from '@wagmi/core';
import type { Config, Connector, CreateConnectorFn } from '@wagmi/core';
import type { ClientConfig } from '@orrery/api';
import { numberToHex } from 'viem';
import type { Abi, Chain, EIP1193Provider } from 'viem';
import { BURNER_ID, burnerConnector } from './burner-connector.ts';
import { toChains } from './chains.ts';
import { embeddedConnector } from './embedded-connector.ts';
import { SignerRefusal } from './signer-frame.ts';
import { switchFailure, switchNetwork } from './network-switch.ts';
import type { NetworkSwitch } from './network-switch.ts';
import { walletConnectConnector } from './wallet-connect.ts';
import type { ConnectorType, WalletChoice, Wallets } from './wallet-port.ts';
import { EMBEDDED_ID, useWallet } from './wallet-store.ts';

const ANNOUNCEMENT_MS = 1_000;

function typeOf(connector: Connector): ConnectorType {
  if (connector.id === BURNER_ID) return 'burner';
  if (connector.id === EMBEDDED_ID) return 'embedded';
  return connector.type === 'walletConnect' ? 'walletConnect' : 'injected';
}

function choiceOf(connector: Connector): WalletChoice {
  const { rdns } = connector;
  return {
    id: connector.id,
    name: connector.name,
    type: typeOf(connector),
    // An announced wallet's id is its reverse domain name.
    rdns: typeof rdns === 'string' ? rdns : (rdns?.[0] ?? (connector.id === 'injected' ? undefined : connector.id)),
    icon: connector.icon,
  };
}

const hasUnannouncedWallet = (): boolean => 'ethereum' in window;

/** The nameless injected wallet is offered only where no wallet announced itself. */
function choicesOf(connectors: readonly Connector[]): readonly WalletChoice[] {
  const choices = connectors.map(choiceOf);
  const isAnnounced = choices.some((choice) => choice.type === 'injected' && choice.id !== 'injected');
  return choices.filter((choice) => choice.id !== 'injected' || (!isAnnounced && hasUnannouncedWallet()));
}

function follow(config: Config): void {
  const show = (): void => {
    const { address, chainId, connector } = getConnection(config);
    const isConnected = address !== undefined && connector !== undefined && chainId !== undefined;
    useWallet.setState({ wallet: isConnected ? { address, chainId, type: typeOf(connector), name: connector.name } : undefined });
  };
  const offer = (connectors: readonly Connector[]): void => useWallet.setState({ choices: choicesOf(connectors) });
  offer(config.connectors);
  watchConnectors(config, { onChange: offer });
  watchConnection(config, { onChange: show });
}

async function addNetwork(config: Config, chain: Chain): Promise<NetworkSwitch> {
  try {
    const provider = await getConnection(config).connector?.getProvider();
    // Connectors answer their provider untyped; each of ours is an EIP-1193 one.
    await (provider as EIP1193Provider).request({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: numberToHex(chain.id),
          chainName: chain.name,
          nativeCurrency: chain.nativeCurrency,
          rpcUrls: chain.rpcUrls.default.http,
          ...(chain.blockExplorers && { blockExplorerUrls: [chain.blockExplorers.default.url] }),
        },
      ],
    });
    return 'switched';
  } catch (error) {
    return switchFailure(error);
  }
}

function connectorsOf(config: ClientConfig, chain: Chain): CreateConnectorFn[] {
  return [
    injected(),
    ...(config.walletConnectProjectId === null ? [] : [walletConnectConnector(config.walletConnectProjectId)]),
    ...(config.burnerWallet ? [burnerConnector(chain)] : []),
    ...(config.signerOrigin === null ? [] : [embeddedConnector(config.signerOrigin, chain)]),
  ];
}

/** Extensions announce themselves when they are asked, most at once, some a moment later. */
async function announced(config: Config, id: string): Promise<Connector | undefined> {
  const find = (): Connector | undefined => config.connectors.find((candidate) => candidate.id === id);
  if (find() === undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = watchConnectors(config, { onChange: () => find() !== undefined && resolve() });
    const timer = setTimeout(resolve, ANNOUNCEMENT_MS);
    await promise.finally(stop);
    clearTimeout(timer);
  }
  return find();
}

/** Only the wallet of the last visit: the others are not asked anything, and a burner that was never wanted is not made. */
async function reconnectToLast(config: Config): Promise<void> {
  const last = await config.storage?.getItem('recentConnectorId');
  const connector = last == null ? undefined : await announced(config, last);
  if (connector !== undefined) await reconnect(config, { connectors: [connector] });
}

/** The library reports what the signing page refused as an error that is not known to it. */
function inItsOwnWords(error: unknown): never {
  let cause: unknown = error;
  while (cause instanceof Error && !(cause instanceof SignerRefusal)) ({ cause } = cause);
  throw cause instanceof SignerRefusal && cause.code === undefined ? cause : error;
}

export function openWallets(clientConfig: ClientConfig): Wallets {
  const { all, target } = toChains(clientConfig, location.origin);
  const config = createConfig({
    chains: all,
    connectors: connectorsOf(clientConfig, target),
    multiInjectedProviderDiscovery: true,
    transports: Object.fromEntries(all.map((chain) => [chain.id, http()])),
    storage: createStorage({ storage: localStorage, key: 'orrery.wallet' }),
  });
  follow(config);
  return {
    async connect(id) {
      const connector = config.connectors.find((candidate) => candidate.id === id);
      if (connector === undefined) throw new Error(`there is no wallet ${id}`);
      if (getConnection(config).isConnected) await disconnect(config);
      await connect(config, { connector });
    },
    reconnect: () => reconnectToLast(config),
    disconnect: async () => disconnect(config),
    signMessage: (message) => signMessage(config, { message }).catch(inItsOwnWords),
    switchNetwork: () =>
      switchNetwork({
        target: target.id,
        wallet: {
          chainId: async () => (await getConnection(config).connector?.getChainId()) ?? 0,
          requestSwitch: async (chainId) => void (await switchChain(config, { chainId })),
        },
      }),
    addNetwork: () => addNetwork(config, target),
    read: ({ address, abi, functionName, args }) =>
      readContract(config, { address, abi: abi as Abi, functionName, args, chainId: target.id }),
    nativeBalance: async (address) => (await getBalance(config, { address, chainId: target.id })).value,
    write: ({ address, abi, functionName, args, value }) =>
      writeContract(config, { address, abi: abi as Abi, functionName, args, chainId: target.id, ...(value !== undefined && { value }) }),
    waitForReceipt: (hash) => waitForTransactionReceipt(config, { hash, chainId: target.id, confirmations: 1 }),
  };
}
