/** Passkeys of operators: the challenge for a browser, and the verification of its answer. */
import { ApiError, type PasskeyCreation, type PasskeyRequest } from '@orrery/api';
import { ALGORITHMS, checkMade, checkProven, type PasskeyFacts, siteOf } from '@orrery/foundation/passkey-checks';
import { CHALLENGE_MS, CreationChallenges, type Newcomer, SignInChallenges } from './challenges.ts';
import { newId } from './secret.ts';
import type { OperatorsDb } from './tables.ts';

const SITE = 'Orrery console';

export class Passkeys {
  readonly #creations: CreationChallenges;
  readonly #signIns: SignInChallenges;

  /** @param parts.challengeKey the same in all processes on the database */
  constructor({ challengeKey, ...parts }: { db: OperatorsDb; challengeKey: Buffer; now: () => number }) {
    this.#creations = new CreationChallenges(parts);
    this.#signIns = new SignInChallenges({ ...parts, key: challengeKey });
  }

  async creation({ origin, name, codeHash }: { origin: string; name: string; codeHash: string }): Promise<PasskeyCreation> {
    const newcomer = { operatorId: newId(), name, codeHash };
    return {
      challenge: await this.#creations.make(newcomer),
      rp: { id: siteOf(origin), name: SITE },
      user: { id: newcomer.operatorId, name, displayName: name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_MS,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    };
  }

  request(origin: string): PasskeyRequest {
    return { challenge: this.#signIns.make(), rpId: siteOf(origin), timeout: CHALLENGE_MS, userVerification: 'required' };
  }

  /** True while a passkey is being made by the holder of this code. */
  isAwaited(codeHash: string): Promise<boolean> {
    return this.#creations.isAwaited(codeHash);
  }

  /** @throws InvalidPasskey unless this answers a challenge of `creation`, which is used up by it. */
  async made(answer: {
    origin: string;
    credentialId: string;
    clientData: string;
    attestation: string;
  }): Promise<{ newcomer: Newcomer; passkey: PasskeyFacts }> {
    const { origin, credentialId, clientData, attestation } = answer;
    let newcomer: Newcomer | undefined;
    const passkey = await checkMade(
      { credentialId, clientData, attestation },
      {
        origin,
        isExpected: async (challenge) => {
          newcomer = await this.#creations.use(challenge);
          return newcomer !== undefined;
        },
      },
    );
    if (newcomer === undefined) throw new ApiError('InvalidPasskey');
    return { newcomer, passkey };
  }

  /** @returns the passkey's counter now. @throws InvalidPasskey unless this answers a challenge of `request`, which is used up by it. */
  async proven(answer: {
    origin: string;
    clientData: string;
    authenticatorData: string;
    signature: string;
    passkey: PasskeyFacts;
  }): Promise<number> {
    const { origin, clientData, authenticatorData, signature, passkey } = answer;
    let answered = '';
    const isExpected = (challenge: string): boolean => {
      answered = challenge;
      return this.#signIns.isGood(challenge);
    };
    const counter = await checkProven({ clientData, authenticatorData, signature }, passkey, { origin, isExpected });
    if (!(await this.#signIns.spend(answered))) throw new ApiError('InvalidPasskey');
    return counter;
  }
}
