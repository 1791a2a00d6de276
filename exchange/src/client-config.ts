/** What a page needs to know of this installation. */
import { TERMS_CODE, type Chain, type ClientConfig } from '@orrery/api';
import { TEST_BLOCKED_ADDRESSES } from '@orrery/accounts';
import { CHAIN_ID } from '@orrery/contracts';
import type { Config } from './config.ts';

const SOSO = { name: 'SOSO', symbol: 'SOSO', decimals: 18 };

/** The first is where trading happens; the others are offered for switching to and from. */
const CHAINS: readonly Chain[] = [
  { chainId: CHAIN_ID, name: 'Orrery Testnet', rpcUrls: ['/rpc'], explorerUrl: '/explorer', nativeCurrency: SOSO },
  {
    chainId: 286_623,
    name: 'ValueChain',
    rpcUrls: ['https://mainnet.valuechain.xyz'],
    explorerUrl: 'https://main-scan.valuechain.xyz',
    nativeCurrency: SOSO,
  },
  {
    chainId: 1,
    name: 'Ethereum',
    rpcUrls: ['https://cloudflare-eth.com'],
    explorerUrl: 'https://etherscan.io',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  },
];

export const clientConfig = (config: Config): ClientConfig => ({
  environment: config.environment,
  termsCode: TERMS_CODE,
  defaultSymbol: 'BTC_USDC',
  defaultChainId: CHAIN_ID,
  chains: [...CHAINS],
  blockedAddresses: [...TEST_BLOCKED_ADDRESSES],
  // A key created in the browser is for trying out the local chain; on other chains nobody should keep funds on it.
  burnerWallet: config.rpcUrl === undefined,
  walletConnectProjectId: config.walletConnectProjectId ?? null,
  joinWhitelistUrl: config.groupLink,
  submitBugUrl: config.bugLink ?? null,
});
