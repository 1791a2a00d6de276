/** An act that must happen once, its answer lost, and another account that comes into view meanwhile. */
import { beforeEach, expect, test } from 'vitest';
import { CallError, ConnectionError } from '@orrery/sdk';
import { accountChanged, rejection } from '../client/failure.ts';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { shell } from '../../kit/i18n/messages/en/shell.ts';
import { accountOf, setView } from '../../kit/storage/account-in-view.ts';
import type { Account } from '../../kit/storage/account-in-view.ts';
import { openIntents } from '../../kit/storage/open-intents.ts';
import type { OpenIntents } from '../../kit/storage/open-intents.ts';
import { parseString } from '../../kit/storage/parse.ts';
import { attempt, settle, submitOnce } from './once.ts';
import type { OncePorts } from './once.ts';

addTexts('en', shell);
activateLanguage('en');

const [ALICE, BOB] = [accountOf('7'), accountOf('8')];

let intents: OpenIntents<string>;
let done: string[];
let sent: string[];
let answer: () => Promise<void>;

const see = (account: Account): void => setView({ address: `0x${account}`, account });
const silence = (): Promise<void> => Promise.reject(rejection(new ConnectionError('lost', { timedOut: false })));
const ports = (): OncePorts<string> => ({
  intents,
  newId: () => `id-${sent.length}`,
  async send({ account, id, body }) {
    sent.push(`${account} ${id} ${body}`);
    await answer();
  },
  find: () => Promise.resolve(false),
  onDone: (body) => void done.push(body),
});

beforeEach(() => {
  intents = openIntents({ name: 'tests', parse: parseString }, () => undefined);
  [done, sent] = [[], []];
  answer = () => Promise.resolve();
  see(ALICE);
});

test('what is answered is done once, and nothing of it stays', async () => {
  await submitOnce(ports(), ALICE, 'transfer');
  expect([sent, done, intents.of(ALICE)]).toEqual([['7 id-0 transfer'], ['transfer'], []]);
});

test('a lost answer of one account is not there for the next, and is sent again for its own, under its id', async () => {
  answer = silence;
  await submitOnce(ports(), ALICE, 'transfer');
  see(BOB);
  expect(intents.of(BOB)).toEqual([]);
  const [open] = intents.of(ALICE);
  if (open === undefined) throw new Error('the transfer is kept');
  see(ALICE);
  answer = () => Promise.resolve();
  await attempt(ports(), open);
  expect(sent).toEqual(['7 id-0 transfer', '7 id-0 transfer']);
  expect([done, intents.of(ALICE)]).toEqual([['transfer'], []]);
});

test('with another account in view nothing is sent and nothing is kept', async () => {
  see(BOB);
  await expect(submitOnce(ports(), ALICE, 'transfer')).rejects.toMatchObject({ reason: 'AccountChanged' });
  expect([sent, intents.of(ALICE), intents.of(BOB)]).toEqual([[], [], []]);
});

test('refused between two tries it waits for its account, as the first may have arrived', async () => {
  answer = () => Promise.reject(accountChanged());
  await expect(submitOnce(ports(), ALICE, 'transfer')).rejects.toMatchObject({ reason: 'AccountChanged' });
  expect(intents.of(ALICE)).toHaveLength(1);
  expect(intents.isSending('id-0')).toBe(false);
});

const refusing = (status: number, reason: 'TooManyRequests' | 'OutcomeUnknown' | 'InsufficientBalance') => () =>
  Promise.reject(new CallError({ code: 1, msg: 'no', status, reason }));

test('a try that was not looked at says nothing of the ones before; a refusal of the act itself does', async () => {
  answer = refusing(429, 'TooManyRequests');
  await expect(submitOnce(ports(), ALICE, 'transfer')).rejects.toMatchObject({ status: 429 });
  expect(intents.of(ALICE)).toEqual([]);
  answer = refusing(0, 'OutcomeUnknown');
  await submitOnce(ports(), ALICE, 'transfer');
  const [open] = intents.of(ALICE);
  if (open === undefined) throw new Error('the transfer is kept');
  answer = refusing(429, 'TooManyRequests');
  await expect(attempt(ports(), open)).rejects.toMatchObject({ status: 429 });
  expect(intents.of(ALICE)).toEqual([open]);
  answer = refusing(422, 'InsufficientBalance');
  await expect(attempt(ports(), open)).rejects.toMatchObject({ status: 422 });
  expect(intents.of(ALICE)).toEqual([]);
});

test('an answer that comes while another account is in view is not shown to it', async () => {
  answer = () => {
    see(BOB);
    return Promise.resolve();
  };
  await submitOnce(ports(), ALICE, 'transfer');
  expect([done, intents.of(ALICE)]).toEqual([[], []]);
});

test('found and answered at the same time it is done once', async () => {
  answer = silence;
  await submitOnce(ports(), ALICE, 'transfer');
  const [open] = intents.of(ALICE);
  if (open === undefined) throw new Error('the transfer is kept');
  settle(ports(), open);
  settle(ports(), open);
  expect(done).toEqual(['transfer']);
});
