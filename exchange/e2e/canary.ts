/** A person of whom everything is recognisable: what they said of themselves is looked for afterwards, wherever it could have been written. */
import { bindNameStatement, ERASURE_STATEMENT, SentFile, STATEMENTS } from '@orrery/api';
import { generate } from 'otplib';
import { expect } from 'vitest';
import { solved } from '../../services/accounts/src/testing/solve.ts';
import { keyClient, type KeyOfPerson, type Person, prepareToTrade, signFor, signIn } from './person.ts';
import { until } from './until.ts';

/** Each is in one place of what the person hands in. */
export interface Canary {
  readonly realName: string;
  readonly documentNumber: string;
  readonly email: string;
  readonly waitingEmail: string;
  /** Without the calling code. */
  readonly tel: string;
  readonly addressLabel: string;
  readonly keyLabel: string;
  readonly userAgent: string;
  readonly from: string;
  readonly file: string;
}

export interface KnownPerson {
  readonly person: Person;
  readonly account: number;
  readonly key: KeyOfPerson;
  /** Of the authenticator app. */
  readonly secret: string;
  /** What would give the person away. */
  readonly words: readonly string[];
}

const CALLING_CODE = '49';
const STEP_MS = 30_000;

const pdfOf = (words: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`%PDF-1.4\n1 0 obj\n<< /Type /${words} >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`);

const codeOfApp = (secret: string): Promise<string> => generate({ secret, epoch: Math.floor(Date.now() / 1_000) });

/** What the person can find of themselves, before. */
export async function settle(url: string, canary: Canary, admit: (address: string) => Promise<unknown>): Promise<KnownPerson> {
  const person = await signIn(url, { from: canary.from, userAgent: canary.userAgent });
  const { client, address } = person;
  await client.checkWhitelist({ address, email: canary.waitingEmail });
  await admit(address);
  await prepareToTrade(url, person);
  const { email, tel } = canary;
  await bind(person, { name: email, username: { username: email } }, (code, proof) => client.bindEmail({ email, code, ...proof }));
  const number = `+${CALLING_CODE}${tel}`;
  await bind(person, { name: number, username: { username: tel, telCountryCode: CALLING_CODE } }, (code, proof) =>
    client.bindPhone({ tel, telCountryCode: CALLING_CODE, code, ...proof }),
  );
  await client.addWithdrawAddress({ address: `0x${canary.tel.slice(-4).repeat(10)}`, label: canary.addressLabel });
  const key = await signFor(person, {
    purpose: 'api-key',
    statement: `Make the READ API key '${canary.keyLabel}' of Orrery, used from any address.`,
  });
  const { accessKey, secret: keySecret } = await client.createApiKey({ label: canary.keyLabel, permission: 'READ', ...key });
  const { fileId } = await client.uploadFile(new SentFile('application/pdf', pdfOf(canary.file)));
  const { realName, documentNumber } = canary;
  await client.identityAuth({ realName, documentType: 'PASSPORT', documentNumber, country: 'DE', fileIds: [fileId] });
  const { secret } = await client.googleSecret();
  const signed = await signFor(person, { purpose: 'security', statement: STATEMENTS.security });
  await client.bindGoogle({ code: await codeOfApp(secret), ...signed });
  await expectFound(person, canary);
  const { accountId } = await client.accountInfo();
  const words = [...Object.values(canary).filter((word) => word !== canary.tel), number.slice(1), secret, keySecret];
  return { person, account: Number(accountId), key: { accessKey, secret: keySecret }, secret, words };
}

/** What is found before, so that a search that finds nothing afterwards says something. */
async function expectFound({ client }: Person, canary: Canary): Promise<void> {
  const sessions = await client.sessions();
  expect(sessions.list).toMatchObject([{ userAgent: canary.userAgent, ip: canary.from }]);
  expect((await client.loginRecord({})).items).toMatchObject([{ device: canary.userAgent }]);
  expect((await client.apiKeys()).list).toMatchObject([{ label: canary.keyLabel }]);
  expect((await client.withdrawAddresses()).list).toMatchObject([{ label: canary.addressLabel }]);
  expect(await client.accountInfo()).toMatchObject({
    emailSecurityStatus: true,
    phoneSecurityStatus: true,
    telCountryCode: CALLING_CODE,
    idNoStatus: 1,
  });
  expect(JSON.stringify(await client.mailbox({ to: canary.email }))).toContain(canary.email);
  expect((await client.files()).list).toHaveLength(1);
}

/** By the code that is sent to the name. */
async function bind(
  person: Person,
  { name, username }: { name: string; username: { username: string; telCountryCode?: string } },
  take: (code: string, proof: { nonce: string; message: string; signature: string }) => Promise<unknown>,
): Promise<void> {
  const { client } = person;
  await client.sendCode({ purpose: 'bind', ...username, captcha: solved(await client.captchaInit({ action: 'code' })) });
  const code = await until('a code has come', async () => {
    const { list } = await client.mailbox({ to: name });
    return list.flatMap(({ text }) => /Your code is (\d{6})/.exec(text)?.[1] ?? [])[0];
  });
  await take(code, await signFor(person, { purpose: 'name', statement: bindNameStatement(name) }));
}

/** With the code of the next step: that of the binding is used up. */
export async function askToBeDeleted({ person, secret }: KnownPerson): Promise<void> {
  const used = Math.floor(Date.now() / STEP_MS);
  await until('a new code is shown', () => Promise.resolve(Math.floor(Date.now() / STEP_MS) > used), { withinMs: 2 * STEP_MS });
  const proof = await signFor(person, { purpose: 'erasure', statement: ERASURE_STATEMENT });
  await person.client.eraseAccount({ abandon: true, google: await codeOfApp(secret), ...proof });
}

/** The key of a program outlives no person. */
export const isGone = async (url: string, { key }: KnownPerson): Promise<boolean> =>
  keyClient(url, key)
    .balances({ account: 'funding' })
    .then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes('API key'),
    );
