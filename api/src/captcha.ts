/** What a page must solve before a code is sent or a password is tried again. */
import { Type, type Static } from 'typebox';
import { nullable, strict } from './fields.ts';
import { routes } from './route.ts';

/** What an answer is good for. */
export const CAPTCHA_ACTIONS = ['code', 'login'] as const;
export type CaptchaAction = (typeof CAPTCHA_ACTIONS)[number];
/** Milliseconds in which an answer is taken. */
export const CAPTCHA_LIFE_MS = 120_000;

export const CAPTCHA_TYPES = ['ALTCHA', 'GEETEST'] as const;

/** A proof of work as ALTCHA defines it: find the counter whose key, by PBKDF2 over nonce and counter, begins with the prefix. */
export const ProofOfWork = Type.Object({
  parameters: Type.Object({
    algorithm: Type.Enum(['PBKDF2/SHA-256']),
    cost: Type.Integer({ description: 'iterations' }),
    data: Type.Object({ action: Type.Enum([...CAPTCHA_ACTIONS]), network: Type.String({ description: 'of the caller, as a keyed hash' }) }),
    expiresAt: Type.Integer({ description: 'unix seconds' }),
    keyLength: Type.Integer({ description: 'bytes' }),
    keyPrefix: Type.String({ description: 'hex' }),
    nonce: Type.String({ description: 'hex' }),
    salt: Type.String({ description: 'hex' }),
  }),
  signature: Type.String(),
});
export type ProofOfWork = Static<typeof ProofOfWork>;

export const CaptchaChallenge = Type.Object({
  type: Type.Enum([...CAPTCHA_TYPES]),
  captchaId: nullable(Type.String({ description: 'of GEETEST: the id of this site there' })),
  script: nullable(Type.String({ description: 'of GEETEST: the address of the script that shows it' })),
  challenge: nullable(ProofOfWork),
});
export type CaptchaChallenge = Static<typeof CaptchaChallenge>;

/** The solution of `challenge`: counter and key, in hex. */
export interface SolvedWork {
  readonly challenge: ProofOfWork;
  readonly solution: { readonly counter: number; readonly derivedKey: string };
}

export const CaptchaAnswer = Type.String({
  minLength: 4,
  maxLength: 4_096,
  pattern: '^[0-9A-Za-z+/]+={0,2}$',
  description:
    'base64 of JSON: of ALTCHA `{"challenge":…,"solution":{"counter":…,"derivedKey":"hex"}}`, of GEETEST what its page hands over (lot_number, ' +
    'captcha_output, pass_token, gen_time). Taken once, for 120 s, for the action and the network for which it was asked',
});

/** In a call that tries a password or a code. */
export const GuardCaptcha = Type.Optional(
  Type.String({
    ...CaptchaAnswer,
    description:
      'for the action login: asked for by CaptchaNeeded, while more wrong codes come than people mistype; the refused call did nothing',
  }),
);

export const captchaRoutes = routes({
  captchaInit: {
    method: 'GET',
    path: '/pro/p/captcha/init',
    access: 'public',
    rate: 'public',
    summary: 'A captcha to solve. GEETEST where this installation is configured for it, a proof of work else.',
    query: strict({ action: Type.Optional(Type.Enum([...CAPTCHA_ACTIONS], { default: 'code' })) }),
    response: CaptchaChallenge,
  },
});
