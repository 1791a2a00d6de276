/** The invite code of each account, which another service makes: kept here once it is known, because it never changes. */
import type { AccountId } from '@orrery/units';

export class InviteCodes {
  readonly #known = new Map<AccountId, string>();
  #source: ((account: AccountId) => Promise<string>) | undefined;

  /** Once the service that makes them is open. */
  use(source: (account: AccountId) => Promise<string>): void {
    this.#source = source;
  }

  /** Null before there is a source, and while it fails: who somebody is can be said without. */
  async of(account: AccountId): Promise<string | null> {
    const known = this.#known.get(account);
    if (known !== undefined) return known;
    const code = await this.#source?.(account).catch(() => undefined);
    if (code === undefined) return null;
    this.#known.set(account, code);
    return code;
  }

  /** The account was deleted. */
  forget(account: AccountId): void {
    this.#known.delete(account);
  }
}
