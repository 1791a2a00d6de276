/**
 * Whose trades with an account count for no task: all who were of one cluster with it in any campaign. What a ring trades in one week does not
 * count in the next one either, when its trading is no longer looked at.
 */
import type { Heart } from '@orrery/protocol';
import type { AccountId } from '@orrery/units';
import type { Clusters } from '../clusters/clusters.ts';
import { NextRun } from '../clusters/next-run.ts';
import type { FlowFollower } from './follower.ts';
import type { Periods } from './periods.ts';
import type { Ranks } from './ranks.ts';

export class ClusterMembers {
  readonly #heart: Heart;
  readonly #periods: Periods;
  readonly #ranks: Ranks;
  readonly #follower: FlowFollower;
  readonly #now: () => number;
  readonly #search = new NextRun<void>();

  constructor(parts: { heart: Heart; periods: Periods; ranks: Ranks; follower: FlowFollower; now: () => number }) {
    this.#heart = parts.heart;
    this.#periods = parts.periods;
    this.#ranks = parts.ranks;
    this.#follower = parts.follower;
    this.#now = parts.now;
  }

  /** The account itself among them; as they were found a few minutes ago at most. */
  async membersOf(account: AccountId): Promise<readonly AccountId[]> {
    const found = await Promise.all(this.#undecided().map((campaignId) => this.#ranks.clusters(campaignId)));
    const decided = await this.#ranks.decidedMembers(account);
    return [...new Set([account, ...found.flatMap((clusters) => membersIn(clusters, account)), ...decided])];
  }

  /** As they are found by everything that has happened until now. */
  async membersNow(account: AccountId): Promise<readonly AccountId[]> {
    await this.#search.begin(async () => {
      await this.#follower.reached(await this.#heart.end());
      for (const campaignId of this.#running()) await this.#ranks.searchAgain(campaignId);
    });
    return this.membersOf(account);
  }

  /** Without a campaign there are clusters all the same, by money and invitations. */
  #running(): readonly (string | undefined)[] {
    const running = this.#periods.runningAt(this.#now()).map(({ campaignId }) => campaignId);
    return running.length === 0 ? [undefined] : running;
  }

  #undecided(): readonly (string | undefined)[] {
    const now = this.#now();
    const inReview = this.#periods.all().filter(({ isDecided, endsAt }) => !isDecided && endsAt <= now);
    return [...this.#running(), ...inReview.map(({ campaignId }) => campaignId)];
  }
}

const membersIn = ({ all }: Clusters, account: AccountId): readonly AccountId[] =>
  all.filter(({ members }) => members.includes(account)).flatMap(({ members }) => members);
