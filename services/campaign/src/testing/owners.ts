/** For tests: everybody's token is their address, and sealed texts are no text of theirs. */
import { assert, parseAddress } from '@orrery/units';
import type { CampaignOptions } from '../campaign.ts';

const backwards = (text: string): string => Array.from(text).toReversed().join('');

export const owners: Pick<CampaignOptions, 'sessions' | 'box' | 'keys'> = {
  sessions: { addressOf: (token) => parseAddress(token) },
  box: {
    seal: (text, owner) => Buffer.from(`${owner}\n${backwards(text)}`),
    open(sealed, owner) {
      const [sealedFor, text = ''] = sealed.toString().split('\n');
      assert(sealedFor === owner, `this was sealed for ${sealedFor}`);
      return backwards(text);
    },
  },
  keys: {
    encrypt: (account, bytes, what) => Promise.resolve(Buffer.from(`${account} ${what}\n${backwards(Buffer.from(bytes).toString())}`)),
    async decrypt(account, encrypted, what) {
      const [sealedFor, text = ''] = encrypted.toString().split('\n');
      assert(sealedFor === `${account} ${what}`, `this was encrypted for ${sealedFor}`);
      return Buffer.from(backwards(text));
    },
  },
};
