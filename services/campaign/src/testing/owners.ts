/** For tests: everybody's token is their address, and sealed texts are no text of theirs. */
import { assert, parseAddress } from '@orrery/units';
import type { CampaignOptions } from '../campaign.ts';

const backwards = (text: string): string => Array.from(text).toReversed().join('');

export const owners: Pick<CampaignOptions, 'sessions' | 'box'> = {
  sessions: { addressOf: (token) => parseAddress(token) },
  box: {
    seal: (text, owner) => Buffer.from(`${owner}\n${backwards(text)}`),
    open(sealed, owner) {
      const [sealedFor, text = ''] = sealed.toString().split('\n');
      assert(sealedFor === owner, `this was sealed for ${sealedFor}`);
      return backwards(text);
    },
  },
};
