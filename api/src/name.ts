/** Names: the e-mail address or the telephone number by which a person logs in, with a password or a code. */
import { Type, type Static } from 'typebox';
import { PasskeyAnswer } from './passkey-text.ts';
import { OneTimeCode, SecondStep } from './security.ts';
import { CaptchaAnswer, GuardCaptcha } from './captcha.ts';
import { Millis, Nonce, Signature, SignedMessage, listed, strict } from './fields.ts';
import { routes } from './route.ts';
import { TEL_COUNTRY_CODE_DEFAULT } from './name-text.ts';

export const CODE_PURPOSES = ['register', 'reset', 'bind'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const NAME_LENGTH_MAX = 254;
export const PASSWORD_LENGTHS = [8, 128] as const;

const Email = Type.String({ minLength: 3, maxLength: NAME_LENGTH_MAX, description: 'an e-mail address' });
const Username = Type.String({
  minLength: 3,
  maxLength: NAME_LENGTH_MAX,
  description: 'an e-mail address, or a telephone number: its digits, with blanks and hyphens as people write them',
});
const TelCountryCode = Type.String({
  minLength: 1,
  maxLength: 4,
  pattern: '^[1-9][0-9]{0,3}$',
  default: TEL_COUNTRY_CODE_DEFAULT,
  description: 'of a telephone number, without the plus sign',
});
const Password = Type.String({ minLength: PASSWORD_LENGTHS[0], maxLength: PASSWORD_LENGTHS[1] });
export const NameCode = Type.String({
  minLength: 6,
  maxLength: 8,
  pattern: '^([0-9]{6}|[A-Z2-9]{8})$',
  description: 'the code that was sent: six digits, or eight letters and digits while many wrong ones come',
});

const name = { username: Username, telCountryCode: Type.Optional(TelCountryCode) };

/** That the owner of the account is here: a wallet signs, and an account without a wallet shows its password; a bound app shows its code. */
export const freshProof = {
  nonce: Type.Optional(Nonce),
  message: Type.Optional(SignedMessage),
  signature: Type.Optional(Signature),
  currentPassword: Type.Optional(Password),
  google: Type.Optional(OneTimeCode),
  passkey: Type.Optional(PasskeyAnswer),
  captcha: GuardCaptcha,
};

export const SentCode = Type.Object({
  codeLength: Type.Integer({ description: 'of the code: 6 digits, or 8 letters and digits while many wrong codes come' }),
  lifeSeconds: Type.Integer({ description: 'how long the code is taken' }),
  againInSeconds: Type.Integer({ description: 'after which another one is sent; it voids this one' }),
});
export type SentCode = Static<typeof SentCode>;

export const Country = Type.Object({
  country: Type.String({ description: 'two letters of ISO 3166' }),
  name: Type.String(),
  telCountryCode: Type.String(),
});
export type Country = Static<typeof Country>;

const LoginAnswer = Type.Union([Type.String({ description: 'access token' }), SecondStep]);
const Held = Type.Object({ withdrawalsHeldUntil: Millis });

const everybody = { access: 'public', rate: 'auth', sameOrigin: true } as const;
const own = { access: 'session', rate: 'manage', sameOrigin: true } as const;

export const nameRoutes = routes({
  countries: {
    method: 'GET',
    path: '/pro/p/country/list',
    access: 'public',
    rate: 'public',
    summary: 'The countries and their dialling codes, by name.',
    response: listed(Country),
  },
  sendCode: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/code/send',
    summary:
      'Send a code of six digits to an e-mail address or a telephone, good for five minutes and five tries, in this browser. The answer is the same ' +
      'whether or not the name is known; what is sent says so to its owner. One in 60 s, 5 in an hour and 10 in a day to a name.',
    body: strict({ purpose: Type.Enum([...CODE_PURPOSES]), ...name, captcha: CaptchaAnswer }),
    response: SentCode,
  },
  register: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/account/register',
    summary: 'Open an account by the code that was sent to its name, and log in. It has no wallet.',
    body: strict({ ...name, password: Password, code: NameCode, captcha: GuardCaptcha }),
    response: LoginAnswer,
  },
  loginFirst: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/account/login/first',
    summary:
      'Log in by name and password. After two wrong ones within 15 minutes, and while many wrong codes come, a captcha for the action login is ' +
      'asked for, after five there is a wait. ' +
      'Where an authenticator app is bound, it answers a loginId, which the second step takes.',
    body: strict({ ...name, password: Password, captcha: GuardCaptcha }),
    response: LoginAnswer,
  },
  reset: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/account/reset',
    summary:
      'Set a new password by the code that was sent for it. It logs nobody in: every session ends, and withdrawals are held for 24 hours.',
    body: strict({ ...name, password: Password, code: NameCode, captcha: GuardCaptcha }),
    response: Held,
  },
  emailLoginSend: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/email/login/send',
    summary: 'Send the code for a login by e-mail, as `/pro/p/code/send` does for other purposes.',
    body: strict({ email: Email, captcha: CaptchaAnswer }),
    response: SentCode,
  },
  emailLoginVerify: {
    ...everybody,
    method: 'POST',
    path: '/pro/p/email/login/verify',
    summary:
      'Log in by the code that was sent; the first time, an account without a wallet is opened. Where an authenticator app is bound, it answers a loginId.',
    body: strict({ email: Email, code: NameCode, captcha: GuardCaptcha }),
    response: LoginAnswer,
  },
  updatePassword: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/password/update',
    summary:
      'Set a password: with a signed nonce of purpose password, or, of an account without a wallet, the password before it; with the code of the app where ' +
      'one is bound. Other sessions end, and withdrawals are held for 24 hours.',
    body: strict({ password: Password, ...freshProof }),
    response: Held,
  },
  bindEmail: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/email/bind',
    summary:
      'Bind an e-mail address, or another one, by the code that was sent to it for the purpose bind, with a signed nonce of purpose name or the password, ' +
      'and the code of the app where one is bound. Other sessions end, and withdrawals are held for 24 hours.',
    body: strict({ email: Email, code: NameCode, ...freshProof }),
    response: Held,
  },
  bindPhone: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/phone/bind',
    summary: 'Bind a telephone number as an e-mail address is bound.',
    body: strict({ tel: Username, telCountryCode: Type.Optional(TelCountryCode), code: NameCode, ...freshProof }),
    response: Held,
  },
});
