/**
 * Passkeys: the challenge for a browser, and the verification of its answer. The page's origin decides the site of a passkey, and the
 * device must have verified its user.
 */
import { ApiError, type PasskeyCreation, type PasskeyRequest } from '@orrery/api';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { CHALLENGE_MS, CreationChallenges, type Newcomer, SignInChallenges } from './challenges.ts';
import { newId } from './secret.ts';

/** Ed25519, ECDSA on P-256, RSA: what devices have. */
const ALGORITHMS = [-8, -7, -257];
const SITE = 'Orrery console';

export interface NewPasskey {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
}

export class Passkeys {
  readonly #creations: CreationChallenges;
  readonly #signIns: SignInChallenges;

  constructor(now: () => number) {
    this.#creations = new CreationChallenges(now);
    this.#signIns = new SignInChallenges(now);
  }

  creation({ origin, name, codeHash }: { origin: string; name: string; codeHash: string }): PasskeyCreation {
    const newcomer = { operatorId: newId(), name, codeHash };
    return {
      challenge: this.#creations.make(newcomer),
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
  isAwaited(codeHash: string): boolean {
    return this.#creations.isAwaited(codeHash);
  }

  /** @throws InvalidPasskey unless this answers a challenge of `creation`, which is used up by it. */
  async made(answer: {
    origin: string;
    credentialId: string;
    clientData: string;
    attestation: string;
  }): Promise<{ newcomer: Newcomer; passkey: NewPasskey }> {
    const { origin, credentialId, clientData, attestation } = answer;
    let newcomer: Newcomer | undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, attestationObject: attestation },
      },
      expectedChallenge: (challenge) => {
        newcomer = this.#creations.use(challenge);
        return newcomer !== undefined;
      },
      expectedOrigin: origin,
      expectedRPID: siteOf(origin),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(refuse);
    if (registrationInfo === undefined || newcomer === undefined) throw new ApiError('InvalidPasskey');
    const { id, publicKey, counter } = registrationInfo.credential;
    return { newcomer, passkey: { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter } };
  }

  /** @returns the passkey's counter now. @throws InvalidPasskey unless this answers a challenge of `request`, which is used up by it. */
  async proven(answer: {
    origin: string;
    clientData: string;
    authenticatorData: string;
    signature: string;
    passkey: NewPasskey;
  }): Promise<number> {
    const { origin, clientData, authenticatorData, signature, passkey } = answer;
    let answered = '';
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: passkey.credentialId,
        rawId: passkey.credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, authenticatorData, signature },
      },
      expectedChallenge: (challenge) => {
        answered = challenge;
        return this.#signIns.isOpen(challenge);
      },
      expectedOrigin: origin,
      expectedRPID: siteOf(origin),
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(refuse);
    if (!verified || !this.#signIns.spend(answered)) throw new ApiError('InvalidPasskey');
    return authenticationInfo.newCounter;
  }
}

/** A passkey is for a host name, whatever the port. */
const siteOf = (origin: string): string => new URL(origin).hostname;

/** The library throws for whatever does not fit. */
function refuse(cause: unknown): never {
  throw new ApiError('InvalidPasskey', { cause });
}
