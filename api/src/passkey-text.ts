/** What a browser answers when it proves a passkey or makes one, and what it is asked with. */
import { Type, type Static } from 'typebox';
import { strict } from './fields.ts';

export const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[0-9A-Za-z_-]+$' });
export const CredentialId = Base64Url(1_366);
export const ClientData = Base64Url(4_096);
export const Attestation = Base64Url(16_384);

export const PasskeyAnswer = strict(
  { credentialId: CredentialId, clientData: ClientData, authenticatorData: Base64Url(4_096), signature: Base64Url(4_096) },
  'answer of a passkey to a challenge of the exchange',
);
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

/** The options with which a browser creates a passkey: the part of WebAuthn's creation options that we use. */
export const PasskeyCreation = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.Literal('none'),
  authenticatorSelection: Type.Object({ residentKey: Type.Literal('required'), userVerification: Type.Literal('required') }),
});
export type PasskeyCreation = Static<typeof PasskeyCreation>;

/** The options with which a browser proves a passkey. */
export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
});
export type PasskeyRequest = Static<typeof PasskeyRequest>;

/** By which a browser knows a passkey of its own. */
export const NamedPasskeys = Type.Array(Type.Object({ type: Type.Literal('public-key'), id: Type.String() }));
