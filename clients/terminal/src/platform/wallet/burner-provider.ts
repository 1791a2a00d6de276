/** An EIP-1193 provider over a key in this browser: signs here, sends through the exchange's RPC. */
import { createPublicClient, createWalletClient, http, isHex, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Chain, EIP1193Provider, Hex, LocalAccount } from 'viem';

interface Request {
  readonly method: string;
  readonly params?: unknown;
}

const item = (params: unknown, index: number): unknown => (Array.isArray(params) ? params[index] : undefined);

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`the burner wallet needs ${name} as text`);
  return value;
}

function hex(value: unknown, name: string): Hex {
  if (!isHex(value)) throw new Error(`the burner wallet needs ${name} in hex`);
  return value;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function send(account: LocalAccount, chain: Chain, transaction: unknown): Promise<Hex> {
  const wallet = createWalletClient({ account, chain, transport: http() });
  const value = field(transaction, 'value');
  const data = field(transaction, 'data');
  return wallet.sendTransaction({
    to: hex(field(transaction, 'to'), 'to'),
    ...(data !== undefined && { data: hex(data, 'data') }),
    ...(value !== undefined && { value: BigInt(hex(value, 'value')) }),
  });
}

export function createBurnerProvider(key: Hex, chain: Chain): Pick<EIP1193Provider, 'request'> {
  const account = privateKeyToAccount(key);
  const reader = createPublicClient({ chain, transport: http() });
  async function request({ method, params }: Request): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [account.address];
      case 'eth_chainId':
        return numberToHex(chain.id);
      case 'personal_sign':
        return account.signMessage({ message: { raw: hex(item(params, 0), 'the message') } });
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(text(item(params, 1), 'the typed data')));
      case 'eth_sendTransaction':
        return send(account, chain, item(params, 0));
      default:
        return reader.transport.request({ method, params });
    }
  }
  // The interface is generic over every method of the standard; this provider answers them all through one function.
  return { request: request as EIP1193Provider['request'] };
}
