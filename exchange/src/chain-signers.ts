/** The accounts that act for the exchange on a chain elsewhere. */
import type { Address, Hex, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { externalSigner } from './external-signer.ts';
import type { KeySetting, SignerSettings } from './signer-settings.ts';
import { StartError } from './start-error.ts';

/** @throws StartError when the external signer does not answer or holds no such key. */
export async function signerOf(setting: KeySetting, { url }: SignerSettings): Promise<LocalAccount> {
  if ('key' in setting) return privateKeyToAccount(setting.key);
  if (url === undefined) throw new StartError('An account of an external signer needs ORRERY_SIGNER_URL.');
  return externalSigner({ url, address: setting.address });
}

export interface Founders {
  readonly deployer: LocalAccount;
  readonly pauser: Hex;
  readonly lister: Hex;
}

/**
 * Who deploys: one stolen key must not be the admin, the pauser and the payer at once.
 * @throws StartError naming what is missing.
 */
export async function foundersOf(settings: SignerSettings, operator: Address): Promise<Founders> {
  const { deployer: setting, pauser, lister } = settings;
  if (setting === undefined || pauser === undefined || lister === undefined) {
    throw new StartError(
      'The contracts are not on this chain yet: give ORRERY_DEPLOYER_KEY, ORRERY_PAUSER_ADDRESS and ORRERY_LISTER_ADDRESS for their deployment.',
    );
  }
  const deployer = await signerOf(setting, settings);
  const accounts = [operator, deployer.address, pauser, lister].map((address) => address.toLowerCase());
  if (new Set(accounts).size < accounts.length) {
    throw new StartError(
      'The operator, the deployer, the pauser and the lister must be four accounts: one stolen key would be all of them.',
    );
  }
  return { deployer, pauser, lister };
}
