/** Who people are. */
import { join } from 'node:path';
import { accountsService, type AccountsTables } from '@orrery/accounts';
import { CHAIN_ID } from '@orrery/contracts';
import { openPosts } from '../messages/posts.ts';
import { troubleOf } from '../surroundings.ts';
import { TERMS } from '../terms.ts';
import { serve } from './service.ts';

export const accountsEntry = serve(accountsService, ({ surroundings, heart, database, chain }) => ({
  heart,
  db: database.of<AccountsTables>(),
  chain: chain.client,
  chainId: CHAIN_ID,
  blockedAddresses: surroundings.config.installation.blockedAddresses,
  terms: TERMS,
  keyFile: join(surroundings.config.dataDirectory, 'api-keys.key'),
  geetest: surroundings.config.geetest,
  ...openPosts(surroundings.config.messages, surroundings.config.environment),
  onTrouble: troubleOf(surroundings, 'accounts'),
}));
