/** What WebAuthn says about an answer of a browser. The page's origin decides the site, and the device must have verified its user. */
import { ApiError, type PasskeyAnswer } from '@orrery/api';

/** Loaded with the first answer: with what it needs it is a tenth of all modules, and most starts see no passkey. */
const webAuthn = () => import('@simplewebauthn/server');

/** Ed25519, ECDSA on P-256, RSA: what devices have. */
export const ALGORITHMS = [-8, -7, -257];

export interface PasskeyFacts {
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
}

/** What a browser answers when it has made a passkey. */
export interface MadePasskey {
  readonly credentialId: string;
  readonly clientData: string;
  readonly attestation: string;
}

interface Asked {
  readonly origin: string;
  readonly isExpected: (challenge: string) => boolean | Promise<boolean>;
}

/** A passkey is for a host name, whatever the port. */
export const siteOf = (origin: string): string => new URL(origin).hostname;

/** @throws ApiError InvalidPasskey unless a passkey was made for this challenge and this page. */
export async function checkMade(
  { credentialId, clientData, attestation }: MadePasskey,
  { origin, isExpected }: Asked,
): Promise<PasskeyFacts> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData, attestationObject: attestation },
    },
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: siteOf(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (registrationInfo === undefined) throw new ApiError('InvalidPasskey');
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
}

/** @returns the counter of the passkey now. @throws ApiError InvalidPasskey unless this passkey answers this challenge on this page. */
export async function checkProven(
  { clientData, authenticatorData, signature }: Omit<PasskeyAnswer, 'credentialId'>,
  passkey: PasskeyFacts,
  { origin, isExpected }: Asked,
): Promise<number> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: passkey.credentialId,
      rawId: passkey.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData, authenticatorData, signature },
    },
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: siteOf(origin),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(refuse);
  if (!verified) throw new ApiError('InvalidPasskey');
  return authenticationInfo.newCounter;
}

/** The library throws for whatever does not fit. What the look-up of the challenge says, such as that the database is away, is passed on. */
function refuse(cause: unknown): never {
  if (cause instanceof ApiError) throw cause;
  throw new ApiError('InvalidPasskey', { cause });
}
