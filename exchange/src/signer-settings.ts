/** Who signs for the exchange on a chain elsewhere: each role has a key of its own, held here or by an external signer. */
import type { Hex } from 'viem';
import { secret } from './secret-setting.ts';
import { StartError } from './start-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A private key, or an account whose key the external signer holds. */
export type KeySetting = { readonly key: Hex } | { readonly address: Hex };

export interface SignerSettings {
  /** Signs withdrawals, sends them and faucet claims. */
  readonly operator: KeySetting | undefined;
  /** Deploys the contracts and is their admin; needed until they are deployed, and not afterwards. */
  readonly deployer: KeySetting | undefined;
  /** Granted at the deployment: the keys of these two are never needed here. */
  readonly pauser: Hex | undefined;
  readonly lister: Hex | undefined;
  /** JSON-RPC of the external signer. */
  readonly url: string | undefined;
}

/** @throws StartError naming the variable that can not be used. */
export function readSignerSettings(env: Environment): SignerSettings {
  const url = env['ORRERY_SIGNER_URL'] === '' ? undefined : env['ORRERY_SIGNER_URL'];
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new StartError('ORRERY_SIGNER_URL must be the http or https address of a JSON-RPC signer');
  }
  const operator = keySetting(env, 'OPERATOR', url);
  const rpcUrl = env['ORRERY_RPC_URL'];
  if (operator === undefined && rpcUrl !== undefined && rpcUrl !== '') {
    throw new StartError('ORRERY_RPC_URL names a chain of its own: give the key of the exchange there in ORRERY_OPERATOR_KEY');
  }
  return {
    operator,
    deployer: keySetting(env, 'DEPLOYER', url),
    pauser: addressSetting(env, 'ORRERY_PAUSER_ADDRESS'),
    lister: addressSetting(env, 'ORRERY_LISTER_ADDRESS'),
    url,
  };
}

function keySetting(env: Environment, role: 'OPERATOR' | 'DEPLOYER', url: string | undefined): KeySetting | undefined {
  const key = secret(env, `ORRERY_${role}_KEY`);
  const address = addressSetting(env, `ORRERY_${role}_ADDRESS`);
  if (key !== undefined && address !== undefined) {
    throw new StartError(`ORRERY_${role}_KEY and ORRERY_${role}_ADDRESS are both given: keep one of them`);
  }
  if (address !== undefined && url === undefined) {
    throw new StartError(`ORRERY_${role}_ADDRESS is an account of an external signer: give its address in ORRERY_SIGNER_URL`);
  }
  if (address !== undefined) return { address };
  if (key === undefined) return undefined;
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new StartError(`ORRERY_${role}_KEY must be 0x and 64 hex digits`);
  return { key: key as Hex };
}

function addressSetting(env: Environment, name: string): Hex | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new StartError(`${name} must be an address: 0x and 40 hex digits`);
  return text as Hex;
}
