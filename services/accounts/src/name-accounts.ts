/** Accounts that a name opens, and what changes of a name or a password mean for their sessions and withdrawals. */
import { randomBytes } from 'node:crypto';
import { ApiError, type Caller, type CodePurpose, type Principal, type Purpose as SignedPurpose } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, type Address, addressOf } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { CaptchaGate } from './captcha-gate.ts';
import { CHANGE, type Factors, type GivenFactors } from './factors/factors.ts';
import { maskedIp } from './login-record.ts';
import type { Outbox } from './mail/outbox.ts';
import type { Codes, Purpose } from './names/codes.ts';
import { codeLetter, knownNameLetter, type SecurityEvent, unknownNameLetter } from './names/letters.ts';
import type { Name } from './names/name.ts';
import type { Names } from './names/names.ts';
import type { Notices } from './names/notices.ts';
import type { NewPassword, Passwords } from './names/passwords.ts';
import type { Proofs } from './proof.ts';
import type { Sessions } from './sessions.ts';
import type { AccountsTables } from './tables.ts';
import type { Traces } from './traces.ts';

const ADDRESS_BYTES = 20;

/** What a call shows to prove that the owner of the account is here. */
export interface FreshProof {
  readonly nonce?: string | undefined;
  readonly message?: string | undefined;
  readonly signature?: string | undefined;
  readonly currentPassword?: string | undefined;
  /** That was sent to a name, where the call takes one. */
  readonly code?: string | undefined;
  readonly captcha?: string | undefined;
}

/** What a signature must be for. */
export interface ProofContext {
  readonly caller: Caller;
  readonly purpose: SignedPurpose;
  readonly statement: string;
}

export interface NameAccountsParts {
  readonly db: Kysely<AccountsTables>;
  readonly directory: AccountDirectory;
  readonly names: Names;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly outbox: Outbox;
  readonly notices: Notices;
  readonly factors: Factors;
  readonly sessions: Sessions;
  readonly proofs: Proofs;
  readonly traces: Traces;
  readonly gate: CaptchaGate;
}

export class NameAccounts {
  readonly #parts: NameAccountsParts;

  constructor(parts: NameAccountsParts) {
    this.#parts = parts;
  }

  /** Where the caller is, as counts see it: one IPv4 address, or what one home has of IPv6. */
  networkOf({ ip, neighbourhood }: Pick<Caller, 'ip' | 'neighbourhood'>): string {
    return this.#parts.traces.markOf(ip.includes(':') ? (neighbourhood ?? ip) : ip);
  }

  /**
   * Sends a code, or, where none can be for this purpose, a letter that says so: the work is the same, and the answer too. It is the same
   * where too many were sent to everybody: then nothing leaves.
   * @returns the number of its letters. @throws ApiError TooManyRequests; Upstream where nothing of this kind can be sent
   */
  async sendCode(purpose: Purpose, name: Name, from: { browser: string; network: string }): Promise<number> {
    const { codes, names, outbox } = this.#parts;
    if (!outbox.canSend(name.kind === 'email' ? 'email' : 'text'))
      throw new ApiError('Upstream', { field: name.kind === 'email' ? 'the mail server' : 'the service of text messages' });
    const isKnown = names.accountOf(name) !== undefined;
    const key = { purpose, mark: names.markOf(name), browser: from.browser };
    const { code, mayLeave } = await codes.issue(key, { network: from.network, to: isKnown ? 'known' : 'stranger' });
    const letters = { code: codeLetter(name, code), known: knownNameLetter(name), unknown: unknownNameLetter(name) };
    if (mayLeave) outbox.put(letters[letterOf(purpose, isKnown)]);
    return code.length;
  }

  /** Before a code or a password is tried. @throws ApiError CaptchaNeeded while the alarm is on, InvalidCaptcha. */
  passGate(captcha: string | undefined, caller: Caller): Promise<void> {
    return this.#parts.gate.pass(captcha, this.networkOf(caller));
  }

  /** @throws ApiError InvalidCode, TooManyRequests. */
  async takeCode(
    purpose: Purpose,
    name: Name,
    { code, caller, browser }: { code: string; caller: Caller; browser: string },
  ): Promise<void> {
    const { codes, names } = this.#parts;
    const account = names.accountOf(name);
    await codes.take({ purpose, mark: names.markOf(name), browser }, code, () => {
      if (account !== undefined) this.notify(account, 'codesLocked', caller);
    });
    // None was sent for these: the one that is stored was never shown.
    if (letterOf(purpose, account !== undefined) !== 'code') throw new ApiError('InvalidCode');
  }

  /** A new account whose address nobody has the key of: its owner is known by the name. @throws ApiError AlreadyThere. */
  async open(name: Name, password: NewPassword | undefined): Promise<Address> {
    const { db, directory, names, passwords } = this.#parts;
    const address = addressOf(`0x${randomBytes(ADDRESS_BYTES).toString('hex')}`);
    const { account } = await directory.open(address);
    await db.transaction().execute(async (tx) => {
      await names.bind(account, name, tx);
      await names.noteWithoutWallet(account, tx);
      if (password !== undefined) await passwords.write(account, password, tx);
    });
    names.bound(account, name, 'withoutWallet');
    if (password !== undefined) passwords.written(account);
    return address;
  }

  addressOf(account: AccountId): Address {
    const address = this.#parts.directory.get(account)?.address;
    if (address === undefined) throw new ApiError('UnknownThing', { field: 'username' });
    return address;
  }

  /**
   * The wallet signs; where there is none, the password is shown.
   * @throws ApiError MissingField naming what is not given, CaptchaNeeded, and what is wrong with it
   */
  async checkOwner(
    { account, address }: Principal,
    given: FreshProof & GivenFactors,
    { caller, purpose, statement }: ProofContext,
  ): Promise<void> {
    const { names, proofs } = this.#parts;
    if (canBeGuessed(given)) await this.passGate(given.captcha, caller);
    if (names.factsOf(account).isWithoutWallet) return this.#checkPassword(account, given, caller);
    await proofs.check({
      nonce: required('nonce', given.nonce),
      message: required('message', given.message),
      signature: required('signature', given.signature),
      purpose,
      statement,
      origin: caller.origin,
      caller: { sessionOf: address },
    });
  }

  /** The same, and a factor where one is bound. */
  async checkFresh(principal: Principal, given: FreshProof & Omit<GivenFactors, 'backup'>, context: ProofContext): Promise<void> {
    const { factors } = this.#parts;
    const check = factors.required(principal.account, given, { origin: context.caller.origin, purpose: CHANGE });
    await this.checkOwner(principal, given, context);
    await check?.();
  }

  /** The same before a factor is changed, where a backup code will do as well. */
  async checkForFactors(principal: Principal, given: FreshProof & GivenFactors, context: ProofContext): Promise<void> {
    const { factors } = this.#parts;
    const check = factors.requiredForFactors(principal.account, given, { origin: context.caller.origin, purpose: CHANGE });
    await this.checkOwner(principal, given, context);
    await check?.();
  }

  /** A change with its hold; then every session ends but this one. @returns when withdrawals are free again, unix milliseconds. */
  async change(
    account: AccountId,
    write: (tx: Transaction<AccountsTables>) => Promise<void>,
    after: { readonly keep: string | undefined; readonly event: SecurityEvent; readonly caller: Caller },
  ): Promise<number> {
    const { db, factors, sessions } = this.#parts;
    const until = await db.transaction().execute(async (tx) => {
      await write(tx);
      return factors.holds.begin(account, tx);
    });
    await sessions.learnOf(account);
    for (const { sessionId } of sessions.of(account)) if (sessionId !== after.keep) await sessions.end(sessionId);
    this.notify(account, after.event, after.caller);
    return until;
  }

  notify(account: AccountId, event: SecurityEvent, { userAgent, neighbourhood }: Pick<Caller, 'userAgent' | 'neighbourhood'>): void {
    this.#parts.notices.notify(account, event, { userAgent, ip: maskedIp(neighbourhood) });
  }

  async #checkPassword(account: AccountId, { currentPassword }: FreshProof, caller: Caller): Promise<void> {
    const { passwords } = this.#parts;
    if (!passwords.has(account)) {
      const message = 'this account has no wallet and no password yet: set a password by a code first';
      throw new ApiError('MissingField', { field: 'currentPassword', message });
    }
    const password = required('currentPassword', currentPassword);
    await passwords.check({ mark: `account ${account}`, network: this.networkOf(caller), password, account });
  }
}

/** What is sent: a code to a name that is not an account's yet, or is one, as the purpose needs it. A login opens an account where there is none. */
function letterOf(purpose: CodePurpose | 'login', isKnown: boolean): 'code' | 'known' | 'unknown' {
  if (purpose === 'login') return 'code';
  if (purpose === 'reset') return isKnown ? 'code' : 'unknown';
  return isKnown ? 'known' : 'code';
}

/** A signature and a passkey are not tried. */
const canBeGuessed = ({ currentPassword, code, google, backup }: FreshProof & GivenFactors): boolean =>
  [currentPassword, code, google, backup].some((each) => each !== undefined);

function required(field: string, value: string | undefined): string {
  if (value === undefined) throw new ApiError('MissingField', { field });
  return value;
}
