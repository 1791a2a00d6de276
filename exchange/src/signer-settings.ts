/** Who signs for the exchange on a chain elsewhere: each role has a key of its own, held here or by an external signer. */
import type { Hex } from 'viem';
import type { Settings } from './settings.ts';
import { readAll, StartError } from './start-error.ts';

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
export function readSignerSettings(settings: Settings): SignerSettings {
  return readAll<SignerSettings>({
    url: () => signerUrl(settings),
    operator: () => operator(settings),
    deployer: () => keySetting(settings, 'DEPLOYER'),
    pauser: () => settings.ORRERY_PAUSER_ADDRESS as Hex | undefined,
    lister: () => settings.ORRERY_LISTER_ADDRESS as Hex | undefined,
  });
}

function signerUrl({ ORRERY_SIGNER_URL: url }: Settings): string | undefined {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new StartError('ORRERY_SIGNER_URL must be the http or https address of a JSON-RPC signer');
}

function operator(settings: Settings): KeySetting | undefined {
  const key = keySetting(settings, 'OPERATOR');
  if (key !== undefined || settings.ORRERY_RPC_URL === undefined) return key;
  throw new StartError('ORRERY_RPC_URL names a chain of its own: give the key of the exchange there in ORRERY_OPERATOR_KEY');
}

function keySetting(settings: Settings, role: 'OPERATOR' | 'DEPLOYER'): KeySetting | undefined {
  const key = settings[`ORRERY_${role}_KEY`];
  const address = settings[`ORRERY_${role}_ADDRESS`];
  if (key !== undefined && address !== undefined) {
    throw new StartError(`ORRERY_${role}_KEY and ORRERY_${role}_ADDRESS are both given: keep one of them`);
  }
  if (address !== undefined && settings.ORRERY_SIGNER_URL === undefined) {
    throw new StartError(`ORRERY_${role}_ADDRESS is an account of an external signer: give its address in ORRERY_SIGNER_URL`);
  }
  if (address !== undefined) return { address: address as Hex };
  return key === undefined ? undefined : { key: key as Hex };
}
