/** The passwords of the cluster, drawn at its first start and kept in its folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from 'viem';
import { english, generateMnemonic, mnemonicToAccount } from 'viem/accounts';

export interface ClusterSecrets {
  readonly superuser: string;
  readonly replication: string;
  readonly application: string;
  readonly nats: string;
  /** Of the deployer, the operator, the pauser and the lister, in this order. */
  readonly mnemonic: string;
}

export function secretsIn(directory: string): ClusterSecrets {
  const file = join(directory, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as ClusterSecrets;
  const word = (): string => randomBytes(24).toString('hex');
  const secrets = {
    superuser: word(),
    replication: word(),
    application: word(),
    nats: word(),
    mnemonic: generateMnemonic(english),
  };
  writeFileSync(file, JSON.stringify(secrets, undefined, 2), { mode: 0o600, flag: 'wx' });
  return secrets;
}

interface ChainAccount {
  readonly address: `0x${string}`;
  readonly key: `0x${string}`;
}

const CHAIN_ACCOUNTS = ['deployer', 'operator', 'pauser', 'lister'] as const;
export const CHAIN_ACCOUNT_COUNT = CHAIN_ACCOUNTS.length;

export function chainAccount({ mnemonic }: ClusterSecrets, role: (typeof CHAIN_ACCOUNTS)[number]): ChainAccount {
  const account = mnemonicToAccount(mnemonic, { addressIndex: CHAIN_ACCOUNTS.indexOf(role) });
  const key = account.getHdKey().privateKey;
  if (key === null) throw new Error('an account of a mnemonic has a key');
  return { address: account.address, key: toHex(key) };
}
