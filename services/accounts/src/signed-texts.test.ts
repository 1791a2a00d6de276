/** The texts that a wallet signs, as the documentation shows them: each call is sent another one, and answers with the text that it takes. */
import { ADD_PASSKEY_STATEMENT, contract, signedTexts, type Route, type SignedText } from '@orrery/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PasskeyDevice } from '../../foundation/src/testing/passkey-device.ts';
import { Browser, ORIGIN, openTown, person, type Town } from './testing/town.ts';

const WRONG = 'I give everything away.';
const PASSWORD = 'correct horse battery';

let town: Town;
let people = 0;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

async function newcomer() {
  people += 1;
  const who = person(0x5160 + people);
  const browser = new Browser(town);
  browser.ip = `10.5.0.${people}`;
  await browser.agree(who);
  await browser.login(who);
  return { who, browser };
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>;

/** What a call needs beside the fields that are signed, and before it. */
const SURROUNDINGS: Readonly<Record<string, (by: Newcomer) => object | Promise<object>>> = {
  agree: ({ who }) => ({ walletAddress: who.wallet.address, termsCode: 'TERMS', nonce: undefined }),
  bindGoogle: () => ({ code: '123456' }),
  addPasskey: () => ({ name: 'laptop', credentialId: 'x', clientData: 'x', attestation: 'x' }),
  async removePasskey({ who, browser }) {
    const device = new PasskeyDevice();
    const { passkey } = town.accounts.handlers;
    const { challenge } = await browser.call(passkey.passkeyOptions);
    const proof = await browser.signStatement(who, { purpose: 'security', statement: ADD_PASSKEY_STATEMENT });
    const made = device.make(challenge, { origin: ORIGIN });
    await browser.call(passkey.addPasskey, { body: { name: 'laptop', ...made, ...proof } });
    const asked = await browser.call(passkey.passkeyChallenge, { body: {} });
    return { credentialId: made.credentialId, passkey: device.prove(asked.challenge, { origin: ORIGIN }) };
  },
  bindEmail: () => ({ code: '123456' }),
  bindPhone: () => ({ code: '123456' }),
  updatePassword: () => ({ password: PASSWORD }),
  async updateApiKey({ who, browser }) {
    const { fields } = signedTexts().find(({ call }) => call === 'createApiKey') as SignedText;
    const body = await browser.signKey(who, fields as { label: string });
    const { accessKey } = await browser.call(town.accounts.handlers.apiKey.createApiKey, { body });
    return { accessKey };
  },
};

/** @returns the message of the refusal. */
async function refusedWith(text: SignedText, by: Newcomer): Promise<string> {
  const { who, browser } = by;
  const more = await SURROUNDINGS[text.call]?.(by);
  const signed = await browser.signStatement(who, { purpose: text.purpose, statement: WRONG });
  const body = { ...text.fields, ...signed, ...more };
  const handler = Object.values(town.accounts.handlers)
    .flatMap((table) => Object.entries(table))
    .find(([name]) => name === text.call)?.[1];
  const { authenticator } = town.accounts;
  const asked = { principal: browser.principal(), origin: ORIGIN };
  const released = { amount: '70.5', coin: 'USDC', orderId: '1042', buyer: '4f1d2c7b9a3e' };
  const sent =
    text.call === 'withdraw'
      ? authenticator.checkWithdrawal({ ...asked, request: body as never })
      : text.call === 'releaseOtcOrder'
        ? authenticator.checkRelease({ ...asked, given: body, terms: released })
        : browser.call(handler as never, { body });
  return sent.then(
    () => 'taken',
    (error: Error) => error.message,
  );
}

describe('a text that a wallet signs', () => {
  test.each(signedTexts().map((text) => [text.call, text] as const))(
    '[L9] of %s: another one is refused with the right one',
    async (_, text) => {
      expect(await refusedWith(text, await newcomer())).toBe(`the statement of the message must be: ${text.statement}`);
    },
  );

  test('is documented for every call that takes a signed message, and for no other', () => {
    const takers = Object.entries<Route>(contract).filter(([, { body }]) =>
      Object.hasOwn(Reflect.get(body ?? {}, 'properties') ?? {}, 'message'),
    );
    expect(
      signedTexts()
        .map(({ call }) => call)
        .toSorted(),
    ).toEqual(takers.map(([name]) => name).toSorted());
  });
});
