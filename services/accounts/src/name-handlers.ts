/** The calls about names: codes, registration, login and reset by a name, and binding one. */
import {
  ApiError,
  bindNameStatement,
  type Caller,
  type captchaRoutes,
  type Handlers,
  type LoginWay,
  type nameRoutes,
  type Principal,
  STATEMENTS,
} from '@orrery/api';
import type { AccountId, Address } from '@orrery/units';
import { readCookie } from './cookies.ts';
import type { GivenFactors } from './factors/factors.ts';
import { browserOf, handOver, loginCallerOf, type Parts } from './handlers.ts';
import type { LoginOutcome } from './login.ts';
import type { FreshProof } from './name-accounts.ts';
import { CODE_LIFE_MS, type Purpose, SENDS_TO_NAME } from './names/codes.ts';
import { COUNTRIES } from './names/countries.ts';
import { type Name, parseEmail, parseName } from './names/name.ts';

const SENT = { lifeSeconds: CODE_LIFE_MS / 1_000, againInSeconds: (SENDS_TO_NAME[0]?.perMs ?? 0) / 1_000 };

export const captchaHandlers = ({ captcha, nameAccounts }: Parts): Handlers<typeof captchaRoutes> => ({
  captchaInit: ({ query, caller }) => captcha.init({ action: query.action ?? 'code', network: nameAccounts.networkOf(caller) }),
});

type NameHandlers = Handlers<typeof nameRoutes>;

export const nameHandlers = (parts: Parts): NameHandlers => ({ ...codeHandlers(parts), ...doorHandlers(parts), ...ownHandlers(parts) });

export const answerOf = (parts: Parts, outcome: LoginOutcome, caller: Caller) =>
  'second' in outcome ? outcome.second : handOver(parts, caller, outcome.tokens);

/** @throws ApiError InvalidCode, TooManyRequests. */
const take = ({ nameAccounts }: Parts, purpose: Purpose, name: Name, { code, caller }: { code: string; caller: Caller }): Promise<void> =>
  nameAccounts.takeCode(purpose, name, { code, caller, browser: readCookie('browser', caller) ?? '' });

function codeHandlers({ captcha, nameAccounts }: Parts): Pick<NameHandlers, 'countries' | 'sendCode' | 'emailLoginSend'> {
  const send = async (purpose: Purpose, name: Name, { answer, caller }: { answer: string; caller: Caller }) => {
    const network = nameAccounts.networkOf(caller);
    await captcha.check(answer, { action: 'code', network });
    const codeLength = await nameAccounts.sendCode(purpose, name, { browser: browserOf(caller), network });
    return { ...SENT, codeLength };
  };
  return {
    countries: () => ({ list: [...COUNTRIES], total: COUNTRIES.length }),
    sendCode: ({ body, caller }) =>
      send(body.purpose, parseName(body.username, body.telCountryCode, 'username'), { answer: body.captcha, caller }),
    emailLoginSend: ({ body, caller }) => send('login', parseEmail(body.email, 'email'), { answer: body.captcha, caller }),
  };
}

function doorHandlers(parts: Parts): Pick<NameHandlers, 'register' | 'loginFirst' | 'reset' | 'emailLoginVerify'> {
  const { login, names, nameAccounts, passwords } = parts;
  const complete = async (address: Address, way: LoginWay, caller: Caller) =>
    answerOf(parts, await login.completeLogin({ address, ...loginCallerOf(caller, way) }, browserOf(caller)), caller);
  return {
    async register({ body, caller }) {
      const name = parseName(body.username, body.telCountryCode, 'username');
      passwords.checkNew(body.password);
      await nameAccounts.passGate(body.captcha, caller);
      await take(parts, 'register', name, { code: body.code, caller });
      return complete(await nameAccounts.open(name, await passwords.hash(body.password)), 'password', caller);
    },

    async loginFirst({ body, caller }) {
      const name = parseName(body.username, body.telCountryCode, 'username');
      const tried = { mark: names.markOf(name), network: nameAccounts.networkOf(caller) };
      await nameAccounts.passGate(body.captcha, caller);
      if (body.captcha === undefined && (await passwords.needsCaptcha(tried))) throw new ApiError('CaptchaNeeded', { field: 'captcha' });
      const account = names.accountOf(name);
      try {
        await passwords.check({ ...tried, password: body.password, account });
      } catch (error) {
        if (account !== undefined) login.noteFailureLater(account, loginCallerOf(caller, 'password'));
        throw error;
      }
      if (account === undefined) throw new ApiError('InvalidPassword');
      return complete(nameAccounts.addressOf(account), 'password', caller);
    },

    async reset({ body, caller }) {
      const name = parseName(body.username, body.telCountryCode, 'username');
      passwords.checkNew(body.password);
      await nameAccounts.passGate(body.captcha, caller);
      await take(parts, 'reset', name, { code: body.code, caller });
      const account = names.accountOf(name);
      if (account === undefined) throw new ApiError('InvalidCode');
      return setPassword(parts, account, { password: body.password, keep: undefined, event: 'passwordReset', caller });
    },

    async emailLoginVerify({ body, caller }) {
      const name = parseEmail(body.email, 'email');
      await nameAccounts.passGate(body.captcha, caller);
      await take(parts, 'login', name, { code: body.code, caller });
      const account = names.accountOf(name);
      const address = account === undefined ? await nameAccounts.open(name, undefined) : nameAccounts.addressOf(account);
      return complete(address, 'email', caller);
    },
  };
}

function ownHandlers(parts: Parts): Pick<NameHandlers, 'updatePassword' | 'bindEmail' | 'bindPhone'> {
  const { names, nameAccounts, passwords } = parts;
  return {
    async updatePassword({ principal, body, caller }) {
      const { account, credential } = principal;
      passwords.checkNew(body.password);
      await nameAccounts.checkFresh(principal, body, { caller, purpose: 'password', statement: STATEMENTS.password });
      const { email, tel } = names.factsOf(account);
      if (email === null && tel === null)
        throw new ApiError('UnknownThing', { field: 'username', message: 'bind an e-mail address first' });
      return setPassword(parts, account, { password: body.password, keep: credential, event: 'passwordSet', caller });
    },

    bindEmail: ({ principal, body, caller }) => bind(parts, parseEmail(body.email, 'email'), { principal, body, caller }),

    bindPhone({ principal, body, caller }) {
      const name = parseName(body.tel, body.telCountryCode, 'tel');
      if (name.kind !== 'phone') throw new ApiError('MalformedField', { field: 'tel' });
      return bind(parts, name, { principal, body, caller });
    },
  };
}

async function setPassword(
  { nameAccounts, passwords }: Parts,
  account: AccountId,
  change: { password: string; keep: string | undefined; event: 'passwordSet' | 'passwordReset'; caller: Caller },
): Promise<{ withdrawalsHeldUntil: number }> {
  const fresh = await passwords.hash(change.password);
  const withdrawalsHeldUntil = await nameAccounts.change(account, (tx) => passwords.write(account, fresh, tx), change);
  passwords.written(account);
  return { withdrawalsHeldUntil };
}

async function bind(
  parts: Parts,
  name: Name,
  { principal, caller, body }: { principal: Principal; caller: Caller; body: FreshProof & Omit<GivenFactors, 'backup'> & { code: string } },
): Promise<{ withdrawalsHeldUntil: number }> {
  const { names, nameAccounts } = parts;
  const { account, credential } = principal;
  await nameAccounts.checkFresh(principal, body, { caller, purpose: 'name', statement: bindNameStatement(name.text) });
  await take(parts, 'bind', name, { code: body.code, caller });
  const event = name.kind === 'email' ? 'emailBound' : 'phoneBound';
  return names.inTurn(account, async () => {
    const isFirst = names.nameOf(account, 'email') === undefined && names.nameOf(account, 'phone') === undefined;
    // The notice goes to the name before this one, where there is one.
    const withdrawalsHeldUntil = await nameAccounts.change(account, (tx) => names.bind(account, name, tx), {
      keep: credential,
      event,
      caller,
    });
    names.bound(account, name, 'before');
    if (isFirst) nameAccounts.notify(account, event, caller);
    return { withdrawalsHeldUntil };
  });
}
