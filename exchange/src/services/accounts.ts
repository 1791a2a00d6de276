/** Who people are. */
import { join } from 'node:path';
import { accountsService, type AccountsTables, type FileStore, diskFileStore, MasterKeyError, s3FileStore } from '@orrery/accounts';
import { CHAIN_ID, type Deployment } from '@orrery/contracts';
import { type Address, addressOf } from '@orrery/units';
import type { Config } from '../config.ts';
import { openPosts } from '../messages/posts.ts';
import { troubleOf } from '../surroundings.ts';
import { TERMS } from '../terms.ts';
import { StartError } from '../start-error.ts';
import { serve, type ServiceEntry } from './service.ts';

const entry = serve(accountsService, ({ surroundings, heart, database, leases, chain, peers }) => ({
  heart,
  db: database.of<AccountsTables>(),
  chain: chain.client,
  chainId: CHAIN_ID,
  blockedAddresses: surroundings.config.installation.blockedAddresses,
  contracts: contractsOf(chain.deployment),
  addressWaitMs: surroundings.config.addressWaitSeconds * 1_000,
  withdrawalHoldMs: surroundings.config.withdrawalHoldSeconds * 1_000,
  erasureWaitMs: surroundings.config.erasureWaitSeconds * 1_000,
  terms: TERMS,
  keysDb: database.keysOf<AccountsTables>(),
  changes: database.changes,
  peers,
  dataFolder: surroundings.config.dataDirectory,
  keyFile: surroundings.config.masterKeyFile ?? join(surroundings.config.dataDirectory, 'api-keys.key'),
  formerKeyFile: surroundings.config.formerMasterKeyFile,
  fileStore: fileStoreOf(surroundings.config),
  push: surroundings.config.push,
  geetest: surroundings.config.geetest,
  now: () => heart.nowMs(),
  wallMs: Date.now,
  monotonicMs: () => performance.now(),
  ...openPosts(surroundings.config.messages, surroundings.config.environment),
  leases,
  onTrouble: troubleOf(surroundings, 'accounts'),
}));

export const accountsEntry: ServiceEntry = {
  ...entry,
  async start(ground, started) {
    try {
      await entry.start(ground, started);
    } catch (cause) {
      throw cause instanceof MasterKeyError ? new StartError(cause.message, { cause }) : cause;
    }
  },
};

const fileStoreOf = ({ filesSite, dataDirectory }: Config): FileStore =>
  filesSite === undefined ? diskFileStore(join(dataDirectory, 'files')) : s3FileStore(filesSite);

/** What each contract of the exchange is, in words. */
const contractsOf = ({ vault, faucet, tokens }: Deployment): ReadonlyMap<Address, string> =>
  new Map([
    ...tokens.map(({ address, code }): [Address, string] => [addressOf(address), `the token ${code}`]),
    [addressOf(faucet), 'the faucet'],
    [addressOf(vault), 'the vault'],
  ]);
