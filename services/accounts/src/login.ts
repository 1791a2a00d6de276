/** The one way to a session. Every method of proving who one is ends here, and nothing else opens a session. */
import { ApiError } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Address } from '@orrery/units';
import type { BlockedAddresses } from './blocked.ts';
import type { IssuedTokens, Sessions } from './sessions.ts';

/** What was proven, and by which connection. */
export interface ProvenLogin {
  readonly address: Address;
  readonly userAgent: string;
  readonly ip: string;
}

export class Login {
  readonly #directory: AccountDirectory;
  readonly #blocked: BlockedAddresses;
  readonly #sessions: Sessions;

  constructor(parts: { directory: AccountDirectory; blocked: BlockedAddresses; sessions: Sessions }) {
    this.#directory = parts.directory;
    this.#blocked = parts.blocked;
    this.#sessions = parts.sessions;
  }

  async completeLogin(proven: ProvenLogin): Promise<IssuedTokens> {
    const { account } = await this.#directory.open(proven.address);
    // Asked last, so that a block that came while the signature was checked still counts.
    if (this.#blocked.has(proven.address)) throw new ApiError('AddressBlocked');
    return this.#sessions.open({ account, address: proven.address, userAgent: proven.userAgent.slice(0, 256), ip: proven.ip });
  }
}
