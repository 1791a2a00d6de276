/** Two operators over HTTP, each with a passkey of their own: what needs two persons is proposed by the one and approved by the other. */
import type { Proposal } from '@orrery/api';
import { Authenticator } from '@orrery/operators/authenticator';
import { createClient, type Client } from '@orrery/sdk';
import { browserFetch } from './person.ts';

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
    const alice = await join(url, { code: firstCode, name: 'alice' });
    const { code } = await alice.inviteOperator({ name: 'bob', role: 'operator' });
    return new Desk(alice, await join(url, { code, name: 'bob' }));
  }

  async decide(propose: (operator: Client) => Promise<Proposal>): Promise<void> {
    const { proposalId, hash } = await propose(this.alice);
    await this.#bob.approveProposal({ proposalId, hash });
  }
}

async function join(url: string, { code, name }: { readonly code: string; readonly name: string }): Promise<Client> {
  const client = createClient({ baseUrl: url, fetch: browserFetch(url, undefined) });
  const { challenge } = await client.passkeyCreation({ code, name });
  await client.registerOperator({ code, ...new Authenticator().make(challenge, { origin: url }) });
  return client;
}
