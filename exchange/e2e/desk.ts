/** Two operators at their desks: what needs two persons is proposed by the one and approved by the other. */
import type { Proposal } from '@orrery/api';
import type { Client } from '@orrery/sdk';
import { join } from './operator.ts';
import { until } from './until.ts';

export class Desk {
  readonly alice: Client;
  readonly #bob: Client;

  private constructor(alice: Client, bob: Client) {
    this.alice = alice;
    this.#bob = bob;
  }

  /** @param firstCode the program's `ORRERY_CONSOLE_CODE`. */
  static async open(programUrl: string, firstCode: string): Promise<Desk> {
    // Passkeys are for names of hosts.
    const url = programUrl.replace('127.0.0.1', 'localhost');
    const { client: alice } = await join(url, { code: firstCode, name: 'alice', from: '192.0.2.1' });
    const { code } = await alice.inviteOperator({ name: 'bob', role: 'operator' });
    const { client: bob } = await join(url, { code, name: 'bob', from: '192.0.2.2' });
    return new Desk(alice, bob);
  }

  /** Resolves when it is done. */
  async decide(propose: (operator: Client) => Promise<Proposal>): Promise<void> {
    const { proposalId, hash } = await propose(this.alice);
    await this.#bob.approveProposal({ proposalId, hash });
    await until('what was approved has its effect', async () => {
      const { list } = await this.alice.proposals({});
      return list.find((proposal) => proposal.proposalId === proposalId)?.state === 'DONE';
    });
  }

  /** What operators make begins after they made it; it has begun when this resolves with its id. */
  async openCampaign(): Promise<string> {
    const startsAt = Date.now() + 6_000;
    const campaignId = `launch-${startsAt}`;
    const terms = { name: { en: 'Launch' }, boards: ['VOLUME' as const], prizes: [{ fromRank: 1, toRank: 20, points: 50_000 }] };
    await this.decide((operator) => operator.proposeCampaign({ campaignId, startsAt, endsAt: startsAt + 86_400_000, ...terms }));
    await until('the campaign runs', () => Promise.resolve(Date.now() > startsAt));
    return campaignId;
  }
}
