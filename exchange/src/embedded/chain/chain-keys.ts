/** The keys of the local chain's own people: made at the first start, kept in one secret file of the data folder. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { english, generateMnemonic, mnemonicToAccount, type HDAccount } from 'viem/accounts';
import { writeDurably } from './write-durably.ts';

export interface ChainKeys {
  /** Puts the contracts on the chain and is their admin. */
  readonly deployer: HDAccount;
  /** Signs withdrawals, sends them and faucet claims. */
  readonly operator: HDAccount;
  /** Can stop the vault. */
  readonly pauser: HDAccount;
  /** Lists assets and pairs. */
  readonly lister: HDAccount;
  readonly marketMaker: HDAccount;
  /** Trades with the market-maker, so that the tape is alive. */
  readonly taker: HDAccount;
  /** Takes over positions whose margin is nearly used up. */
  readonly liquidator: HDAccount;
  /** The market-maker of contracts, and who trades with it. */
  readonly contractQuoter: HDAccount;
  readonly contractTaker: HDAccount;
}

const OWNER_ONLY = 0o600;

export function chainKeys(directory: string): ChainKeys {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'mnemonic');
  if (!existsSync(path)) writeDurably(path, `${generateMnemonic(english)}\n`, OWNER_ONLY);
  const mnemonic = readFileSync(path, 'utf8').trim();
  const key = (addressIndex: number) => mnemonicToAccount(mnemonic, { addressIndex });
  return {
    deployer: key(0),
    operator: key(1),
    pauser: key(2),
    marketMaker: key(3),
    taker: key(4),
    lister: key(5),
    liquidator: key(6),
    contractQuoter: key(7),
    contractTaker: key(8),
  };
}
