/** What guards an account beside its wallet: the authenticator app and its backup codes. */
import { Type, type Static } from 'typebox';
import { GuardCaptcha } from './captcha.ts';
import { Millis, Nonce, Signature, SignedMessage, strict } from './fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';

export const OneTimeCode = Type.String({ minLength: 6, maxLength: 6, pattern: '^[0-9]{6}$', description: 'code of the authenticator app' });
export const BackupCode = Type.String({
  minLength: 12,
  maxLength: 12,
  pattern: '^[A-Z2-7]{12}$',
  description: 'one of the ten, good once',
});

export const CurrentPassword = Type.String({
  minLength: 8,
  maxLength: 128,
  description: 'of an account without a wallet, in place of the signature',
});

/** What can be asked for at the second step of a login. */
export const LOGIN_FACTORS = ['google', 'passkey', 'backup'] as const;

export const LoginId = Type.String({ minLength: 43, maxLength: 43, pattern: '^[0-9A-Za-z_-]{43}$' });

/** The answer of a first step where a second one follows. */
export const SecondStep = Type.Object({
  loginId: LoginId,
  factors: Type.Array(Type.Enum([...LOGIN_FACTORS]), { description: 'one of these finishes the login, within five minutes' }),
});
export type SecondStep = Static<typeof SecondStep>;

export const securityRoutes = routes({
  loginSecond: {
    method: 'POST',
    path: '/pro/p/account/login/second',
    access: 'public',
    rate: 'auth',
    sameOrigin: true,
    summary:
      'Finish a login with the code of the authenticator app, a passkey or a backup code; in the browser that made the first step. Five wrong codes of ' +
      'an account in 15 minutes, or 20 in a day, are followed by a wait.',
    body: strict({
      loginId: LoginId,
      codes: strict(
        { google: Type.Optional(OneTimeCode), backup: Type.Optional(BackupCode), passkey: Type.Optional(PasskeyAnswer) },
        'exactly one of them',
      ),
      captcha: GuardCaptcha,
    }),
    response: Type.String({ description: 'access token, as verify gives it' }),
  },
  googleSecret: {
    method: 'GET',
    path: '/pro/u/security/google/secret',
    access: 'session',
    rate: 'manage',
    summary: 'A new secret for an authenticator app, to be bound within ten minutes. An app that is bound stays so until then.',
    response: Type.Object({
      secret: Type.String({ description: 'base32, to be typed into the app' }),
      uri: Type.String({ description: 'otpauth: link, for a QR code' }),
    }),
  },
  bindGoogle: {
    method: 'POST',
    path: '/pro/u/security/google/bind',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Bind the app that shows this code, with a signed nonce of purpose security; where another app or a passkey is bound, with its code as `current`, a passkey, or a backup code. From then on ' +
      'every login and every withdrawal asks for a second factor. Other sessions end, and withdrawals are held for 24 hours.',
    body: strict({
      code: OneTimeCode,
      current: Type.Optional(OneTimeCode),
      backup: Type.Optional(BackupCode),
      passkey: Type.Optional(PasskeyAnswer),
      nonce: Type.Optional(Nonce),
      signature: Type.Optional(Signature),
      message: Type.Optional(SignedMessage),
      currentPassword: Type.Optional(CurrentPassword),
      captcha: GuardCaptcha,
    }),
    response: Type.Object({
      backupCodes: Type.Array(BackupCode, { description: 'shown once; those before are void' }),
      withdrawalsHeldUntil: Millis,
    }),
  },
});
