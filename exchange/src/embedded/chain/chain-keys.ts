/** The keys of the local chain's own people: made at the first start, kept in one secret file of the data folder. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '@orrery/units';
import { toHex } from 'viem';
import { english, generateMnemonic, mnemonicToAccount, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { writeDurably } from './write-durably.ts';

export interface ChainKeys {
  /** Puts the contracts on the chain and is their admin. */
  readonly deployer: PrivateKeyAccount;
  /** Signs withdrawals, sends them and faucet claims. */
  readonly operator: PrivateKeyAccount;
  /** Can stop the vault. */
  readonly pauser: PrivateKeyAccount;
  /** Lists assets and pairs. */
  readonly lister: PrivateKeyAccount;
  readonly marketMaker: PrivateKeyAccount;
  /** Trades with the market-maker, so that the tape is alive. */
  readonly taker: PrivateKeyAccount;
  /** Takes over positions whose margin is nearly used up. */
  readonly liquidator: PrivateKeyAccount;
  /** The market-maker of contracts, and who trades with it. */
  readonly contractQuoter: PrivateKeyAccount;
  readonly contractTaker: PrivateKeyAccount;
}

/** Of the keys of Ethereum (BIP 44); a key is the child of its number. */
const PARENT_PATH = "m/44'/60'/0'/0";
const OWNER_ONLY = 0o600;

export function chainKeys(directory: string): ChainKeys {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'mnemonic');
  if (!existsSync(path)) writeDurably(path, `${generateMnemonic(english)}\n`, OWNER_ONLY);
  const mnemonic = readFileSync(path, 'utf8').trim();
  // To make the seed of the words takes longest, and every start waits for it: once for all of them.
  const parent = mnemonicToAccount(mnemonic, { path: PARENT_PATH }).getHdKey();
  const key = (index: number): PrivateKeyAccount => {
    const { privateKey } = parent.deriveChild(index);
    assert(privateKey !== null, 'the child of a private key is a private key');
    return privateKeyToAccount(toHex(privateKey));
  };
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
