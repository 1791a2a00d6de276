/** The calls of the forms that log in by a name: what is refused is said at the field it is about. */
import type { CallData, CodePurpose, SentCode } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { captchaFor, pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask } from '../../platform/data/calls.ts';

export interface WrittenName {
  readonly username: string;
  readonly telCountryCode: string;
}

type LoginAnswer = CallData['loginFirst'];

/** What the exchange names by no field of the form. */
const FIELD_OF: Readonly<Record<string, string>> = { InvalidCode: 'code', InvalidPassword: 'password' };

async function atField<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    const field = error instanceof CallError ? FIELD_OF[error.reason ?? ''] : undefined;
    if (!(error instanceof CallError) || field === undefined) throw error;
    throw new CallError({ code: error.code, msg: error.msg, status: error.status, reason: error.reason, field });
  }
}

const nameOf = ({ username, telCountryCode }: WrittenName) => ({
  username,
  ...(telCountryCode !== '' && !username.includes('@') && { telCountryCode }),
});

export async function sendCode(purpose: CodePurpose, name: WrittenName): Promise<SentCode> {
  const captcha = await captchaFor('code');
  return ask('sendCode', { body: { purpose, ...nameOf(name), captcha }, ignoreToken: true });
}

export async function sendLoginCode(email: string): Promise<SentCode> {
  const captcha = await captchaFor('code');
  return ask('emailLoginSend', { body: { email, captcha }, ignoreToken: true });
}

export const loginByCode = (email: string, code: string): Promise<LoginAnswer> =>
  atField(pastCaptcha((captcha) => ask('emailLoginVerify', { body: { email, code, ...captcha }, ignoreToken: true })));

interface NewPassword extends WrittenName {
  readonly code: string;
  readonly password: string;
}

export const register = ({ code, password, ...name }: NewPassword): Promise<LoginAnswer> =>
  atField(pastCaptcha((captcha) => ask('register', { body: { ...nameOf(name), code, password, ...captcha }, ignoreToken: true })));

export const reset = ({ code, password, ...name }: NewPassword): Promise<unknown> =>
  atField(pastCaptcha((captcha) => ask('reset', { body: { ...nameOf(name), code, password, ...captcha }, ignoreToken: true })));

export const loginByPassword = ({ password, ...name }: WrittenName & { readonly password: string }): Promise<LoginAnswer> =>
  atField(pastCaptcha((captcha) => ask('loginFirst', { body: { ...nameOf(name), password, ...captcha }, ignoreToken: true })));
