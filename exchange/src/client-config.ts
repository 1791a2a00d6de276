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

/** @param cnyRate what a dollar costs in yuan now. @param port at which the page is served. */
export const clientConfig = (config: Config, { cnyRate, port }: { cnyRate: CurrencyRate; port: number }): ClientConfig => ({
  environment: config.environment,
  termsCode: TERMS_CODE,
  defaultSymbol: config.installation.listing.markets[0]?.symbol ?? '',
  defaultChainId: CHAIN_ID,
  chains: [OWN_CHAIN, ...config.installation.otherChains],
  blockedAddresses: [...config.installation.blockedAddresses],
  // A key created in the browser is for trying out the local chain; on other chains nobody should keep funds on it.
  burnerWallet: config.rpcUrl === undefined,
  walletConnectProjectId: config.walletConnectProjectId ?? null,
  signerOrigin: config.signerOrigin === undefined ? null : atPort(config.signerOrigin, port),
  analytics: config.analytics ?? null,
  joinWhitelistUrl: config.groupLink,
  submitBugUrl: config.bugLink ?? null,
  currencyRates: [cnyRate],
});
