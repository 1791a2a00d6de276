/** What an account has beside its first step: the app, the backup codes, the logins that wait for them, the holds after a change. */
import { ApiError } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { CodeAlarm } from '../code-alarm.ts';
import type { PersonKeys } from '../person-keys.ts';
import type { AccountsTables } from '../tables.ts';
import { BackupCodes } from './backup-codes.ts';
import { Holds } from './holds.ts';
import { PendingLogins } from './pending-logins.ts';
import { Totp } from './totp.ts';

export class Factors {
  readonly totp: Totp;
  readonly backupCodes: BackupCodes;
  readonly holds: Holds;
  readonly pending: PendingLogins;

  constructor(parts: { db: Kysely<AccountsTables>; keys: PersonKeys; now: () => number; alarm: CodeAlarm; holdMs: number }) {
    this.totp = new Totp(parts);
    this.backupCodes = new BackupCodes({ db: parts.db, totp: this.totp });
    this.holds = new Holds(parts);
    this.pending = new PendingLogins(parts);
  }

  async load(): Promise<void> {
    await this.totp.load();
    await this.holds.load();
  }

  /** The code that must be checked; undefined where no app is bound. @throws ApiError MissingField when there is none. */
  requiredCode(account: AccountId, given: string | undefined): string | undefined {
    if (!this.totp.isBound(account)) return undefined;
    if (given === undefined)
      throw new ApiError('MissingField', { field: 'google', message: 'the code of the authenticator app is missing' });
    return given;
  }

  /** The code that must be checked before a key may withdraw. @throws ApiError FactorNeeded where no app is bound, MissingField without a code. */
  codeOfApp(account: AccountId, given: string | undefined): string {
    const code = this.requiredCode(account, given);
    if (code === undefined) throw new ApiError('FactorNeeded');
    return code;
  }

  /** 1: one way in alone; 2: an authenticator app beside it. */
  levelOf(account: AccountId): number {
    return this.totp.isBound(account) ? 2 : 1;
  }

  async forget(): Promise<void> {
    await this.totp.forget();
  }
}
