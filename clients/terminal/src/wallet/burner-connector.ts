/** The burner wallet as a connector of the wallet library. */
import { createConnector } from '@wagmi/core';
import { getAddress } from 'viem';
import type { Chain, EIP1193Provider } from 'viem';
import { openBurnerKey, readBurnerKey } from './burner-key.ts';
import { createBurnerProvider } from './burner-provider.ts';

export const BURNER_ID = 'orrery.burner';

export function burnerConnector(chain: Chain) {
  let opened: Promise<Pick<EIP1193Provider, 'request'>> | undefined;
  const provider = (): Promise<Pick<EIP1193Provider, 'request'>> => {
    opened ??= openBurnerKey().then((key) => createBurnerProvider(key, chain));
    return opened;
  };
  return createConnector<Pick<EIP1193Provider, 'request'>>(({ emitter }) => ({
    id: BURNER_ID,
    name: 'Burner wallet',
    type: 'burner',
    async connect<WithCapabilities extends boolean = false>() {
      const accounts = await this.getAccounts();
      // The library asks for either shape by a flag of its own; this wallet has no capabilities to tell of.
      return { accounts: accounts as never as WithCapabilities extends true ? never : typeof accounts, chainId: chain.id };
    },
    async disconnect() {},
    async getAccounts() {
      const accounts = await (await provider()).request({ method: 'eth_accounts' });
      return accounts.map((account) => getAddress(account));
    },
    getChainId: async () => chain.id,
    getProvider: provider,
    isAuthorized: async () => (await readBurnerKey()) !== undefined,
    switchChain: async () => chain,
    onAccountsChanged() {},
    onChainChanged() {},
    onDisconnect: () => emitter.emit('disconnect'),
  }));
}
