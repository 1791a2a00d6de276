/** The one way to a session. Every method of proving who one is ends here, and nothing else opens a session. */
import { ApiError, type AskedPasskey, type LoginWay, type SecondStep } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { AccountId, Address } from '@orrery/units';
import type { BlockedAddresses } from './blocked.ts';
import { type Factors, type GivenFactors, loginPurpose } from './factors/factors.ts';
import type { PendingLogin } from './factors/pending-logins.ts';
import { DEVICE_LENGTH_MAX, type LoginRecords, maskedIp } from './login-record.ts';
import type { Notices } from './names/notices.ts';
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

export type LoginOutcome = { readonly tokens: IssuedTokens } | { readonly second: SecondStep };

export class Login {
  readonly #directory: AccountDirectory;
  readonly #blocked: BlockedAddresses;
  readonly #sessions: Sessions;
  readonly #records: LoginRecords;
  readonly #traces: Traces;
  readonly #factors: Factors;
  readonly #notices: Notices;

  constructor(parts: {
    directory: AccountDirectory;
    blocked: BlockedAddresses;
    sessions: Sessions;
    records: LoginRecords;
    traces: Traces;
    factors: Factors;
    notices: Notices;
  }) {
    this.#directory = parts.directory;
    this.#blocked = parts.blocked;
    this.#sessions = parts.sessions;
    this.#records = parts.records;
    this.#traces = parts.traces;
    this.#factors = parts.factors;
    this.#notices = parts.notices;
  }

  /**
   * After the first step. Where a second factor is bound, it opens nothing: `completeSecond` does.
   * @param browser the secret in the cookie of the browser that made the first step
   */
  async completeLogin(proven: ProvenLogin, browser: string): Promise<LoginOutcome> {
    const { account } = await this.#directory.open(proven.address);
    // Asked last, so that a block that came while the signature was checked still counts.
    if (this.#blocked.has(proven.address)) throw new ApiError('AddressBlocked');
    if (!this.#factors.has(account)) return { tokens: await this.#open(account, proven) };
    return { second: { loginId: await this.#factors.pending.begin(proven, browser), factors: this.#factors.ofLogin(account) } };
  }

  /**
   * With one factor. @throws ApiError: UnknownThing for a login that was not begun here, is finished or too old, and what is wrong with the
   * factor.
   */
  async completeSecond(
    { loginId, codes, browser }: { loginId: string; codes: GivenFactors; browser: string },
    caller: Omit<LoginCaller, 'way'> & { readonly origin: string },
  ): Promise<IssuedTokens> {
    const check = this.#factors.ofSecondStep(codes);
    const { pending, account } = await this.#pendingOf({ loginId, browser });
    const { origin, ...from } = caller;
    const proven = { ...from, ...pending };
    try {
      await check(account, { origin, purpose: loginPurpose(loginId) });
    } catch (error) {
      await this.noteFailure(pending.address, proven);
      throw error;
    }
    if (!(await this.#factors.pending.finish(loginId))) throw new ApiError('UnknownThing', { field: 'loginId' });
    if (this.#blocked.has(pending.address)) throw new ApiError('AddressBlocked');
    return this.#open(account, proven);
  }

  /** What a passkey is proven with at the second step. @throws ApiError UnknownThing as `completeSecond`, and where no passkey is bound. */
  async askPasskey(begun: { loginId: string; browser: string }, origin: string): Promise<AskedPasskey> {
    const { account } = await this.#pendingOf(begun);
    this.#factors.passkeys.checkAny(account);
    return this.#factors.passkeys.request(account, { origin, purpose: loginPurpose(begun.loginId) });
  }

  async #pendingOf(begun: { loginId: string; browser: string }): Promise<{ pending: PendingLogin; account: AccountId }> {
    const pending = await this.#factors.pending.find(begun);
    const account = pending === undefined ? undefined : this.#directory.find(pending.address)?.account;
    if (pending === undefined || account === undefined) throw new ApiError('UnknownThing', { field: 'loginId' });
    return { pending, account };
  }

  /** A try that proved nothing, by the address in whose name it was made; an address without an account has no record. */
  async noteFailure(address: Address, caller: LoginCaller): Promise<void> {
    const account = this.#directory.find(address)?.account;
    if (account !== undefined) await this.#records.note({ ...caller, account, result: 'FAILED', newDevice: false });
  }

  /** The same without a caller who waits: for a name, whose answer takes no longer where there is an account. */
  noteFailureLater(account: AccountId, caller: LoginCaller): void {
    this.#records.noteLater({ ...caller, account, result: 'FAILED', newDevice: false });
  }

  async #open(account: AccountId, proven: ProvenLogin): Promise<IssuedTokens> {
    const newDevice = await this.#traces.isNewDevice(account, proven.device);
    const newNetwork = await this.#traces.isNewNetwork(account, proven.neighbourhood);
    const userAgent = proven.userAgent.slice(0, DEVICE_LENGTH_MAX);
    const tokens = await this.#sessions.open({ account, address: proven.address, userAgent, ip: proven.ip });
    await this.#records.note({ ...proven, account, result: 'SUCCESS', newDevice });
    if (newDevice || newNetwork) this.#notices.notify(account, 'newDevice', { userAgent, ip: maskedIp(proven.neighbourhood) });
    return tokens;
  }
}
