/** The way in: a one-time code makes an operator of a passkey, a passkey opens a session. */
import { ApiError, type BodyOf, type Caller, type OperatorSession, type operatorDoorRoutes, type PasskeyCreation } from '@orrery/api';
import type { Invitations } from './invitations.ts';
import type { Passkeys } from './passkeys.ts';
import type { Roster } from './roster.ts';
import { hashSecret } from './secret.ts';
import type { Sessions } from './sessions.ts';

type Registration = BodyOf<typeof operatorDoorRoutes.registerOperator>;
type SignIn = BodyOf<typeof operatorDoorRoutes.signInOperator>;

export class Door {
  readonly #roster: Roster;
  readonly #invitations: Invitations;
  readonly #passkeys: Passkeys;
  readonly #sessions: Sessions;

  constructor(parts: { roster: Roster; invitations: Invitations; passkeys: Passkeys; sessions: Sessions }) {
    this.#roster = parts.roster;
    this.#invitations = parts.invitations;
    this.#passkeys = parts.passkeys;
    this.#sessions = parts.sessions;
  }

  async beginRegistration({ code, name }: { code: string; name: string }, { origin }: Caller): Promise<PasskeyCreation> {
    const codeHash = hashSecret(code);
    await this.#invitations.check(codeHash, name);
    return this.#passkeys.creation({ origin, name, codeHash });
  }

  async register({ code, ...answer }: Registration, caller: Caller): Promise<OperatorSession> {
    // Without a code there is nothing to look at.
    if (!(await this.#passkeys.isAwaited(hashSecret(code)))) throw new ApiError('InvalidCode');
    const { newcomer, passkey } = await this.#passkeys.made({ ...answer, origin: caller.origin });
    if (newcomer.codeHash !== hashSecret(code)) throw new ApiError('InvalidCode');
    if ((await this.#roster.holderOf(passkey.credentialId)) !== undefined) throw new ApiError('InvalidPasskey');
    const role = await this.#roster.join(newcomer, passkey);
    const { operatorId, name } = newcomer;
    return { operatorId, name, role, rights: [], endsAt: await this.#sessions.open(operatorId, caller) };
  }

  async signIn({ credentialId, ...answer }: SignIn, caller: Caller): Promise<OperatorSession> {
    const holder = await this.#roster.holderOf(credentialId);
    if (holder === undefined) throw new ApiError('InvalidPasskey');
    const { operatorId, name, role, rights, passkey } = holder;
    const counter = await this.#passkeys.proven({ ...answer, origin: caller.origin, passkey });
    await this.#roster.signedIn(name, passkey, counter);
    return { operatorId, name, role, rights, endsAt: await this.#sessions.open(operatorId, caller) };
  }
}
