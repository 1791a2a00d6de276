/** What an account has beside its first step: the app, passkeys, the backup codes, the logins that wait for them, the holds after a change. */
import { ApiError, LOGIN_FACTORS, type PasskeyAnswer, type SecondStep } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { CodeAlarm } from '../code-alarm.ts';
import { hashToken } from '../opaque-token.ts';
import type { PersonKeys } from '../person-keys.ts';
import type { AccountsTables } from '../tables.ts';
import { BackupCodes } from './backup-codes.ts';
import { Holds } from './holds.ts';
import { Passkeys } from './passkeys.ts';
import { PendingLogins } from './pending-logins.ts';
import { Totp } from './totp.ts';

/** What a call shows beside its proof, as it came. */
export interface GivenFactors {
  readonly google?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
  readonly backup?: string | undefined;
}

/** For what a factor is shown, and on which page. */
export interface FactorUse {
  readonly origin: string;
  readonly purpose: string;
}

/** Checks the factor that was given, and uses it up. @throws ApiError InvalidCode, InvalidPasskey, TooManyRequests. */
export type FactorCheck = () => Promise<void>;

/** Of whatever changes the account; a withdrawal and a login have purposes of their own. */
export const CHANGE = 'change';

interface Withdrawal {
  readonly withdrawalId: string;
  readonly coin: string;
  readonly amount: string;
  readonly to: string;
}

export const withdrawalPurpose = ({ withdrawalId, coin, amount, to }: Withdrawal): string =>
  `withdraw ${withdrawalId.toLowerCase()} ${amount} ${coin} ${to.toLowerCase()}`;

interface Release {
  readonly orderId: string;
  readonly amount: string;
  readonly coin: string;
  readonly buyer: string;
}

export const releasePurpose = ({ orderId, amount, coin, buyer }: Release): string => `otc-release ${orderId} ${amount} ${coin} ${buyer}`;

export const loginPurpose = (loginId: string): string => `login ${hashToken(loginId)}`;

export class Factors {
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly backupCodes: BackupCodes;
  readonly holds: Holds;
  readonly pending: PendingLogins;

  constructor(parts: {
    db: Kysely<AccountsTables>;
    keys: PersonKeys;
    now: () => number;
    wallMs: () => number;
    alarm: CodeAlarm;
    holdMs: number;
  }) {
    this.totp = new Totp(parts);
    this.passkeys = new Passkeys(parts);
    this.backupCodes = new BackupCodes({ db: parts.db, totp: this.totp });
    this.holds = new Holds(parts);
    this.pending = new PendingLogins(parts);
  }

  async load(): Promise<void> {
    await this.totp.load();
    await this.passkeys.load();
    await this.holds.load();
  }

  /** As the rows say, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    await Promise.all([this.totp.readAgain(account), this.passkeys.readAgain(account), this.holds.readAgain(account)]);
  }

  has(account: AccountId): boolean {
    return this.totp.isBound(account) || this.passkeys.has(account);
  }

  /** What finishes a login of this account. */
  ofLogin(account: AccountId): SecondStep['factors'] {
    return LOGIN_FACTORS.filter((factor) => {
      if (factor === 'google') return this.totp.isBound(account);
      return factor === 'backup' || this.passkeys.has(account);
    });
  }

  /** Undefined where nothing is bound. @throws ApiError MissingField when there is something and it is not given. */
  required(account: AccountId, given: GivenFactors, use: FactorUse): FactorCheck | undefined {
    if (given.google !== undefined && this.totp.isBound(account)) return this.#checkOf(account, { google: given.google }, use);
    if (given.passkey !== undefined && this.passkeys.has(account)) return this.#checkOf(account, { passkey: given.passkey }, use);
    if (this.totp.isBound(account))
      throw new ApiError('MissingField', { field: 'google', message: 'the code of the authenticator app is missing' });
    return this.#passkeyOf(account, given, use);
  }

  /** The same for what moves money: where there is a passkey, a code, which a false page can ask for, is not enough. */
  requiredForMoney(account: AccountId, given: GivenFactors, use: FactorUse): FactorCheck | undefined {
    return this.passkeys.has(account) ? this.#passkeyOf(account, given, use) : this.required(account, given, use);
  }

  /** Before a key may withdraw. @throws ApiError FactorNeeded where nothing is bound, MissingField when it is not given. */
  demandedForMoney(account: AccountId, given: GivenFactors, use: FactorUse): FactorCheck {
    const check = this.requiredForMoney(account, given, use);
    if (check === undefined) throw new ApiError('FactorNeeded');
    return check;
  }

  /** Before a factor is changed: a backup code does as well, since the others may be lost. */
  requiredForFactors(account: AccountId, given: GivenFactors, use: FactorUse): FactorCheck | undefined {
    if (!this.has(account) || given.backup === undefined) return this.required(account, given, use);
    return this.#checkOf(account, { backup: given.backup }, use);
  }

  /** Checks what was given at the second step of a login. @throws ApiError MissingField unless it is exactly one. */
  ofSecondStep(given: GivenFactors): (account: AccountId, use: FactorUse) => Promise<void> {
    const { google, backup, passkey } = given;
    if ([google, backup, passkey].filter((each) => each !== undefined).length !== 1) throw new ApiError('MissingField', { field: 'codes' });
    return (account, use) => this.#checkOf(account, given, use)();
  }

  /** 1: one way in alone; 2: an authenticator app beside it; 3: a passkey, which no false page can ask for. */
  levelOf(account: AccountId): number {
    if (this.passkeys.has(account)) return 3;
    return this.totp.isBound(account) ? 2 : 1;
  }

  async forget(): Promise<void> {
    await this.totp.forget();
    await this.passkeys.forget();
  }

  #passkeyOf(account: AccountId, { passkey }: GivenFactors, use: FactorUse): FactorCheck | undefined {
    if (!this.passkeys.has(account)) return undefined;
    if (passkey === undefined) throw new ApiError('MissingField', { field: 'passkey', message: 'the answer of a passkey is missing' });
    return this.#checkOf(account, { passkey }, use);
  }

  #checkOf(account: AccountId, given: GivenFactors, use: FactorUse): FactorCheck {
    const { google, backup, passkey } = given;
    if (google !== undefined) return () => this.totp.check(account, google);
    if (backup !== undefined) return () => this.backupCodes.use(account, backup);
    if (passkey !== undefined) return () => this.passkeys.prove(account, passkey, use);
    throw new Error('a factor is given');
  }
}
