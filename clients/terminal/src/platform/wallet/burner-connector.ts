/** The burner wallet as a connector of the wallet library. */
import { createConnector } from '@wagmi/core';
import type { CreateConnectorFn } from '@wagmi/core';
import { getAddress } from 'viem';
import type { Address, Chain, EIP1193Provider } from 'viem';
import { openBurnerKey, readBurnerKey } from './burner-key.ts';
import { createBurnerProvider } from './burner-provider.ts';

export const BURNER_ID = 'orrery.burner';

type Provider = Pick<EIP1193Provider, 'request'>;
type Connect = ReturnType<CreateConnectorFn>['connect'];

export function burnerConnector(chain: Chain): CreateConnectorFn {
  let opened: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> => {
    opened ??= openBurnerKey().then((key) => createBurnerProvider(key, chain));
    return opened;
  };
  const accounts = async (): Promise<readonly Address[]> => {
    const addresses = await (await provider()).request({ method: 'eth_accounts' });
    return addresses.map((address) => getAddress(address));
  };
  // The library asks for the accounts with or without capabilities by a flag; this wallet has none to tell of.
  const connect = (async () => ({ accounts: await accounts(), chainId: chain.id })) as Connect;
  return createConnector<Provider>(({ emitter }) => ({
    id: BURNER_ID,
    name: 'Burner wallet',
    type: 'burner',
    connect,
    disconnect: () => Promise.resolve(),
    getAccounts: accounts,
    getChainId: () => Promise.resolve(chain.id),
    getProvider: provider,
    isAuthorized: async () => (await readBurnerKey()) !== undefined,
    switchChain: () => Promise.resolve(chain),
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => emitter.emit('disconnect'),
  }));
}
