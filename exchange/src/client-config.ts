/** What a page needs to know of this installation. */
import { TERMS_CODE, type Chain, type ClientConfig, type CurrencyRate } from '@orrery/api';
import { CHAIN_ID } from '@orrery/contracts';
import { atPort } from '@orrery/foundation';
import type { Config } from './config.ts';

/** Where trading happens. */
const OWN_CHAIN: Chain = {
  chainId: CHAIN_ID,
  name: 'Orrery Testnet',
  rpcUrls: ['/rpc'],
  explorerUrl: '/explorer',
  nativeCurrency: { name: 'SOSO', symbol: 'SOSO', decimals: 18 },
};

interface Now {
  /** What a dollar costs in yuan. */
  readonly cnyRate: CurrencyRate;
  /** At which the page is served. */
  readonly port: number;
  /** At which the signing page is served, where it has one of its own. */
  readonly signerPort?: number;
}

export const clientConfig = (config: Config, { cnyRate, port, signerPort }: Now): ClientConfig => ({
  environment: config.environment,
  termsCode: TERMS_CODE,
  defaultSymbol: config.installation.listing.markets[0]?.symbol ?? '',
  defaultChainId: CHAIN_ID,
  chains: [OWN_CHAIN, ...config.installation.otherChains],
  blockedAddresses: [...config.installation.blockedAddresses],
  // A key created in the browser is for trying out the local chain; on other chains nobody should keep funds on it.
  burnerWallet: config.rpcUrl === undefined,
  walletConnectProjectId: config.walletconnectProjectId ?? null,
  signerOrigin: signerOrigin(config, { port, signerPort }),
  analytics: config.analytics ?? null,
  joinWhitelistUrl: config.groupLink,
  submitBugUrl: config.bugLink ?? null,
  appLinks: { appStore: config.appStoreLink ?? null, googlePlay: config.googlePlayLink ?? null },
  currencyRates: [cnyRate],
});

/** With a port of its own it is at every host of this machine: pages put theirs in. */
function signerOrigin({ signingPage }: Config, { port, signerPort }: { port: number; signerPort: number | undefined }): string | null {
  if (signingPage !== undefined && 'origin' in signingPage) return atPort(signingPage.origin, port);
  return signerPort === undefined ? null : `http://127.0.0.1:${signerPort}`;
}
