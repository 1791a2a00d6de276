/** Passkeys of this browser: made, and proven, with what the exchange asks. Loaded with the first of them. */
import type { AskedPasskey, CallData, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@orrery/api';
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { passkeyChallenge, type PasskeySubject } from '../client/factor-calls.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { say } from '../../kit/i18n/text.tsx';

/** As the exchange takes it. */
export interface MadePasskey {
  readonly credentialId: string;
  readonly clientData: string;
  readonly attestation: string;
}

/** What is to be done where a browser gives no passkey; what it only says in general, such as that a person closed its window, is said so too. */
const FAULTS: Partial<Readonly<Record<WebAuthnError['code'], MessageId>>> = {
  ERROR_INVALID_DOMAIN: 'security.passkeyHost',
  ERROR_INVALID_RP_ID: 'security.passkeyHost',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'security.passkeyThere',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'security.passkeyNoDevice',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT: 'security.passkeyNoDevice',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG: 'security.passkeyNoDevice',
};

/** @throws Error in words for the person. */
export async function makePasskey(
  optionsJSON: PasskeyCreation & Partial<Pick<CallData['passkeyOptions'], 'excludeCredentials'>>,
): Promise<MadePasskey> {
  const { id: credentialId, response } = await inWords('security.passkeyNotMade', () => startRegistration({ optionsJSON }));
  return { credentialId, clientData: response.clientDataJSON, attestation: response.attestationObject };
}

/** @throws Error in words for the person. */
export async function provePasskey(optionsJSON: PasskeyRequest & Partial<Pick<AskedPasskey, 'allowCredentials'>>): Promise<PasskeyAnswer> {
  const { id: credentialId, response } = await inWords('security.passkeyNotGiven', () => startAuthentication({ optionsJSON }));
  const { clientDataJSON: clientData, authenticatorData, signature } = response;
  return { credentialId, clientData, authenticatorData, signature };
}

/** The answer of a passkey for a change of the account, or for exactly this subject. */
export const answerPasskey = async (subject?: PasskeySubject): Promise<PasskeyAnswer> => provePasskey(await passkeyChallenge(subject));

async function inWords<Answer>(otherwise: MessageId, work: () => Promise<Answer>): Promise<Answer> {
  if (!browserSupportsWebAuthn()) throw new Error(say('security.passkeyUnknown'));
  try {
    return await work();
  } catch (error) {
    const fault = error instanceof WebAuthnError ? FAULTS[error.code] : undefined;
    throw new Error(say(fault ?? otherwise, { address: namedAddress() }), { cause: error });
  }
}

/** This page where the host goes by its name: passkeys are for names, never for numbers. */
function namedAddress(): string {
  const { protocol, port, pathname } = location;
  return `${protocol}//localhost${port === '' ? '' : `:${port}`}${pathname}`;
}
