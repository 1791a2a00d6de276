/** Who is of one hand with the leader of a fund: what the campaign finds, and for a fund of the house all its accounts. */
import type { Accounts } from '@orrery/accounts';
import type { Campaign } from '@orrery/campaign';
import type { HandOf } from '@orrery/fund';
import { type AccountId, addressOf } from '@orrery/units';

interface Known {
  readonly campaign: Pick<Campaign, 'clusters'>;
  readonly directory: Pick<Accounts['directory'], 'find'>;
  /** Addresses of the exchange itself. */
  readonly ours: readonly string[];
}

export function handsOf({ campaign, directory, ours }: Known): HandOf {
  return async (leader) => {
    const house = ours.flatMap((address): readonly AccountId[] => {
      const account = directory.find(addressOf(address))?.account;
      return account === undefined ? [] : [account];
    });
    // The finder takes no account of the house for a person, so that it is in no cluster.
    return house.includes(leader) ? house : campaign.clusters.membersOf(leader);
  };
}
