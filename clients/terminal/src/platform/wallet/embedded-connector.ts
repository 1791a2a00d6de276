/** The e-mail wallet as a connector of the wallet library. It is connected by a login: its address is that of the account. */
import { createConnector } from '@wagmi/core';
import type { CreateConnectorFn } from '@wagmi/core';
import { createPublicClient, getAddress, hexToString, http, isHex, numberToHex } from 'viem';
import type { Address, Chain, EIP1193Provider } from 'viem';
import { walletTicket } from '../client/wallet-ticket.ts';
import { walletAddress } from '../../kit/storage/remembered.ts';
import { signerFrame, SignerRefusal, USER_REJECTED } from './signer-frame.ts';
import { EMBEDDED_ID } from './wallet-store.ts';

type Provider = Pick<EIP1193Provider, 'request'>;
type Connect = ReturnType<CreateConnectorFn>['connect'];

interface Request {
  readonly method: string;
  readonly params?: unknown;
}

const item = (params: unknown, index: number): unknown => (Array.isArray(params) ? params[index] : undefined);

/** The address of the open session, for which alone the wallet signs. */
function addressOf(): Address {
  const address = walletAddress.read();
  if (address === '') throw new Error('log in by e-mail first');
  return getAddress(address);
}

/** Through the signing page, which shows what it is and asks for a click. On a device without a share, the wallet is recovered first. */
async function sign(origin: string, { method, text }: { method: string; text: string }): Promise<string> {
  const address = addressOf();
  const signer = await signerFrame(origin);
  const { hasShare } = await signer.ask({ kind: 'status', address });
  if (!hasShare) {
    const { recoveryTicket } = await import('./recovery-ticket.tsx');
    const ticket = await recoveryTicket();
    if (ticket === undefined) throw new SignerRefusal('User rejected the request.', USER_REJECTED);
    await signer.ask({ kind: 'recover', address, ticket });
  }
  const ticket = await walletTicket('sign');
  return (await signer.ask({ kind: 'sign', address, ticket, request: { method, text } })).signature;
}

function textOf(data: unknown): string {
  if (isHex(data)) return hexToString(data);
  if (typeof data === 'string') return data;
  throw new Error('the e-mail wallet needs the message as text');
}

function createProvider(origin: string, chain: Chain): Provider {
  const reader = createPublicClient({ chain, transport: http() });
  async function request({ method, params }: Request): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [addressOf()];
      case 'eth_chainId':
        return numberToHex(chain.id);
      case 'personal_sign':
        return sign(origin, { method, text: textOf(item(params, 0)) });
      case 'eth_signTypedData_v4':
        return sign(origin, { method, text: textOf(item(params, 1)) });
      case 'eth_sendTransaction':
        return sign(origin, { method, text: JSON.stringify(item(params, 0)) });
      default:
        return reader.transport.request({ method, params });
    }
  }
  // The interface is generic over every method of the standard; this provider answers them all through one function.
  return { request: request as EIP1193Provider['request'] };
}

/** @param origin of the signing page. */
export function embeddedConnector(origin: string, chain: Chain): CreateConnectorFn {
  const provider = createProvider(origin, chain);
  const accounts = (): Promise<readonly Address[]> => Promise.resolve([addressOf()]);
  // The library asks for the accounts with or without capabilities by a flag; this wallet has none to tell of.
  const connect = (async () => ({ accounts: await accounts(), chainId: chain.id })) as Connect;
  return createConnector<Provider>(({ emitter }) => ({
    id: EMBEDDED_ID,
    name: 'E-mail wallet',
    type: 'embedded',
    connect,
    disconnect: () => Promise.resolve(),
    getAccounts: accounts,
    getChainId: () => Promise.resolve(chain.id),
    getProvider: () => Promise.resolve(provider),
    isAuthorized: () => Promise.resolve(walletAddress.read() !== ''),
    switchChain: () => Promise.resolve(chain),
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => emitter.emit('disconnect'),
  }));
}
