/** The one way to a session. Every method of proving who one is ends here, and nothing else opens a session. */
import { ApiError, type LoginWay } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { AccountId, Address } from '@orrery/units';
import type { BlockedAddresses } from './blocked.ts';
import { DEVICE_LENGTH_MAX, type LoginRecords } from './login-record.ts';
import type { IssuedTokens, Sessions } from './sessions.ts';
import type { Traces } from './traces.ts';

/** By which connection somebody logs in. */
export interface LoginCaller {
  readonly way: LoginWay;
  readonly userAgent: string;
  readonly ip: string;
  readonly neighbourhood: string | undefined;
  /** The secret in the device cookie, where there is one. */
  readonly device: string | undefined;
}

/** What was proven at the first step. */
export interface ProvenLogin extends LoginCaller {
  readonly address: Address;
}

export class Login {
  readonly #directory: AccountDirectory;
  readonly #blocked: BlockedAddresses;
  readonly #sessions: Sessions;
  readonly #records: LoginRecords;
  readonly #traces: Traces;

  constructor(parts: {
    directory: AccountDirectory;
    blocked: BlockedAddresses;
    sessions: Sessions;
    records: LoginRecords;
    traces: Traces;
  }) {
    this.#directory = parts.directory;
    this.#blocked = parts.blocked;
    this.#sessions = parts.sessions;
    this.#records = parts.records;
    this.#traces = parts.traces;
  }

  async completeLogin(proven: ProvenLogin): Promise<IssuedTokens> {
    const { account } = await this.#directory.open(proven.address);
    // Asked last, so that a block that came while the signature was checked still counts.
    if (this.#blocked.has(proven.address)) throw new ApiError('AddressBlocked');
    return this.#open(account, proven);
  }

  /** A try that proved nothing, by the address in whose name it was made; an address without an account has no record. */
  async noteFailure(address: Address, caller: LoginCaller): Promise<void> {
    const account = this.#directory.find(address)?.account;
    if (account !== undefined) await this.#records.note({ ...caller, account, result: 'FAILED', newDevice: false });
  }

  async #open(account: AccountId, proven: ProvenLogin): Promise<IssuedTokens> {
    const newDevice = await this.#traces.isNewDevice(account, proven.device);
    const userAgent = proven.userAgent.slice(0, DEVICE_LENGTH_MAX);
    const tokens = await this.#sessions.open({ account, address: proven.address, userAgent, ip: proven.ip });
    await this.#records.note({ ...proven, account, result: 'SUCCESS', newDevice });
    return tokens;
  }
}
