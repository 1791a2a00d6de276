/** Acceptance of the terms, by a signature that names them. */
import { Type } from 'typebox';
import { AddressText, Signature, SignedMessage, strict } from './fields.ts';
import { routes } from './route.ts';

/** The terms in force. */
export const TERMS_CODE = 'TERMS';
const TermsCode = Type.String({ minLength: 1, maxLength: 32, pattern: '^[A-Z0-9_]{1,32}$', examples: [TERMS_CODE] });

export const agreementRoutes = routes({
  checkAgreement: {
    method: 'POST',
    path: '/biz/check/agreement',
    access: 'public',
    rate: 'public',
    summary: 'Whether an address has accepted the terms of this code.',
    body: strict({ walletAddress: AddressText, termsCode: TermsCode }),
    response: Type.Boolean(),
  },
  agree: {
    method: 'POST',
    path: '/biz/user/auth/agreement',
    access: 'public',
    rate: 'auth',
    sameOrigin: true,
    summary: 'Accept the terms with a signed nonce of purpose terms; the nonce is in the message.',
    body: strict({ walletAddress: AddressText, termsCode: TermsCode, signature: Signature, message: SignedMessage }),
    response: Type.Boolean(),
  },
});
