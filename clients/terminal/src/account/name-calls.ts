/** The calls of the forms that log in by a name: what is refused is said at the field it is about. */
import type { CallData, CodePurpose, SentCode } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { ask } from '../data/calls.ts';
import { captchaFor } from './captcha.ts';

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

export async function sendCode(purpose: CodePurpose, name: WrittenName, notHere: string): Promise<SentCode> {
  const captcha = await captchaFor('code', notHere);
  return ask('sendCode', { body: { purpose, ...nameOf(name), captcha }, ignoreToken: true });
}

export async function sendLoginCode(email: string, notHere: string): Promise<SentCode> {
  const captcha = await captchaFor('code', notHere);
  return ask('emailLoginSend', { body: { email, captcha }, ignoreToken: true });
}

export const loginByCode = (email: string, code: string): Promise<LoginAnswer> =>
  atField(ask('emailLoginVerify', { body: { email, code }, ignoreToken: true }));

interface NewPassword extends WrittenName {
  readonly code: string;
  readonly password: string;
}

export const register = ({ code, password, ...name }: NewPassword): Promise<LoginAnswer> =>
  atField(ask('register', { body: { ...nameOf(name), code, password }, ignoreToken: true }));

export const reset = ({ code, password, ...name }: NewPassword): Promise<unknown> =>
  atField(ask('reset', { body: { ...nameOf(name), code, password }, ignoreToken: true }));

/** Solves a captcha where one is asked for. */
export async function loginByPassword(
  { password, ...name }: WrittenName & { readonly password: string },
  notHere: string,
): Promise<LoginAnswer> {
  const body = { ...nameOf(name), password };
  try {
    return await atField(ask('loginFirst', { body, ignoreToken: true }));
  } catch (error) {
    if (!(error instanceof CallError) || error.reason !== 'CaptchaNeeded') throw error;
    const captcha = await captchaFor('login', notHere);
    return atField(ask('loginFirst', { body: { ...body, captcha }, ignoreToken: true }));
  }
}
