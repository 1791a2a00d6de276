/** The chains of this installation, as the wallet library wants them. */
import type { Chain as ApiChain, ClientConfig } from '@orrery/api';
import { defineChain } from 'viem';
import type { Chain } from 'viem';

/** A chain's RPC may be a path on the host that serves this page. */
const absolute = (url: string, origin: string): string => new URL(url, origin).href;

export function toChain(chain: ApiChain, origin: string): Chain {
  return defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: chain.nativeCurrency,
    rpcUrls: { default: { http: chain.rpcUrls.map((url) => absolute(url, origin)) } },
    ...(chain.explorerUrl !== null && { blockExplorers: { default: { name: chain.name, url: absolute(chain.explorerUrl, origin) } } }),
    testnet: true,
  });
}

export interface Chains {
  readonly all: readonly [Chain, ...Chain[]];
  /** The exchange's own chain. */
  readonly target: Chain;
}

export function toChains(config: Pick<ClientConfig, 'chains' | 'defaultChainId'>, origin: string): Chains {
  const chains = config.chains.map((chain) => toChain(chain, origin));
  const target = chains.find((chain) => chain.id === config.defaultChainId);
  if (target === undefined) throw new Error(`the configuration names chain ${config.defaultChainId} but does not describe it`);
  return { target, all: [target, ...chains.filter((chain) => chain !== target)] };
}
