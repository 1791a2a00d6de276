import {
  ADD_PASSKEY_STATEMENT,
  apiKeyChangeStatement,
  apiKeyStatement,
  bindNameStatement,
  ERASURE_STATEMENT,
  REMOVE_PASSKEY_STATEMENT,
  STATEMENTS,
  otcReleaseStatement,
  withdrawStatement,
} from '@orrery/api';
import { describe, expect, test } from 'vitest';
import { printLoginMessage } from '../session/login-message.ts';
import { CAPS, CHAIN_ID, judge } from './policy.ts';

const ORIGIN = 'http://127.0.0.1:8080';
const ADDRESS = '0x00000000000000000000000000000000000000a1';
const OTHER = '0x00000000000000000000000000000000000000b2';
const CONTEXT = { origin: ORIGIN, address: ADDRESS };
const ISSUED_AT = 1_795_000_000_000;
const PUBLIC_KEY = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** As our page prints it. */
const messageFor = (statement: string, more: object = {}): string =>
  printLoginMessage({
    address: ADDRESS,
    origin: ORIGIN,
    chainId: CHAIN_ID,
    statement,
    nonce: 'a'.repeat(32),
    issuedAt: ISSUED_AT,
    ...more,
  });
const signing = (text: string, method = 'personal_sign') => judge({ method, text }, CONTEXT);
const release = (more: object = {}): string =>
  otcReleaseStatement({ amount: '70.5', coin: 'USDC', orderId: '1042', buyer: '4f1d2c7b9a3e', ...more });
const withdrawal = (more: object = {}): string => withdrawStatement({ amount: '25.5', coin: 'USDC', to: OTHER, ...more });

describe('[L10] an e-mail wallet signs the messages of the exchange', () => {
  test.each([
    [STATEMENTS.login, 'Sign in'],
    [STATEMENTS.terms, 'Accept the terms'],
    [STATEMENTS.connection, 'Open the trading connection'],
    [STATEMENTS.security, 'Bind an authenticator app'],
    [STATEMENTS.password, 'Set a new password'],
    [ERASURE_STATEMENT, 'Delete your account'],
    [ADD_PASSKEY_STATEMENT, 'Add a passkey'],
    [REMOVE_PASSKEY_STATEMENT, 'Remove a passkey'],
    [bindNameStatement('alice@example.org'), 'Bind an e-mail address or a telephone number'],
    [apiKeyStatement({ label: 'bot', permission: 'TRADE', ipList: ['192.0.2.1'] }), 'Make or change an API key'],
    [
      apiKeyStatement({ label: 'bot', permission: 'TRADE', moneyRights: ['TRANSFER'], publicKey: PUBLIC_KEY, lifeDays: 30 }),
      'Make or change an API key',
    ],
    [
      apiKeyChangeStatement({ label: 'bot', permission: 'READ', moneyRights: ['TRANSFER', 'WITHDRAW'], ipList: ['192.0.2.1', '::1'] }),
      'Make or change an API key that can withdraw',
    ],
    [withdrawal(), 'Withdraw'],
    [release(), 'Release a coin'],
  ])('%s', (statement, purpose) => {
    expect(signing(messageFor(statement))).toMatchObject({
      message: messageFor(statement),
      facts: expect.arrayContaining([{ term: 'Purpose', text: purpose }]),
    });
  });

  test('and shows of a withdrawal how much leaves and where to', () => {
    const judged = signing(messageFor(withdrawal(), { requestId: `0x${'1'.repeat(64)}` }));
    const facts = 'facts' in judged ? judged.facts : [];
    expect(facts).toContainEqual({ term: 'Amount', text: '25.5 USDC' });
    expect(facts).toContainEqual({ term: 'To', text: OTHER });
    expect(facts).toContainEqual({ term: 'Site', text: '127.0.0.1:8080' });
  });
});

const TYPED = { types: { Permit: [] }, primaryType: 'Permit', message: {} };

describe('[L10] and refuses everything else with a reason', () => {
  test.each([
    ['a message for another site', messageFor(STATEMENTS.login, { origin: 'https://evil.example' }), /is for evil\.example/],
    ['our site on another port', messageFor(STATEMENTS.login, { origin: 'http://127.0.0.1:8081' }), /is for 127\.0\.0\.1:8081/],
    ['chain 1', messageFor(STATEMENTS.login, { chainId: 1 }), /chain 1, not 138565/],
    ['another wallet', messageFor(STATEMENTS.login, { address: OTHER }), /not this wallet/],
    ['a statement that is not known', messageFor('Give everything to Mallory.'), /not known here/],
    ['a passkey in other words', messageFor(`${REMOVE_PASSKEY_STATEMENT} And bind one of mine.`), /not known here/],
    ['a withdrawal in other words', messageFor(`Withdraw 1 USDC from Orrery to ${OTHER}, and more.`), /not known here/],
    ['more than the cap', messageFor(withdrawal({ amount: String((CAPS['USDC'] ?? 0) + 1) })), /100000 USDC at most/],
    ['more than the cap to a buyer', messageFor(release({ amount: String((CAPS['USDC'] ?? 0) + 1) })), /releases 100000 USDC at most/],
    ['a coin without a cap', messageFor(withdrawal({ coin: 'DOGE' })), /withdraws no DOGE/],
    ['a coin named as what objects have', messageFor(withdrawal({ coin: 'POINTS' })), /withdraws no POINTS/],
    ['a text that is no message', 'I owe Mallory everything.', /no message of the exchange/],
    ['a second message after the first', `${messageFor(STATEMENTS.login)}\n${messageFor(STATEMENTS.terms)}`, /no message of the exchange/],
    ['an empty text', '', /no message of the exchange/],
  ])('%s', (_what, text, reason) => {
    expect(signing(text)).toEqual({ refused: expect.stringMatching(reason) });
  });

  test.each([
    ['of a foreign contract', { name: 'Evil', chainId: CHAIN_ID }],
    ['of chain 1', { name: 'Orrery', chainId: 1 }],
    ['of our own chain', { name: 'Orrery', chainId: CHAIN_ID }],
  ])('typed data %s', (_what, domain) => {
    expect(signing(JSON.stringify({ ...TYPED, domain }), 'eth_signTypedData_v4')).toEqual({
      refused: expect.stringMatching(/no typed data/),
    });
  });

  test.each(['eth_sign', 'eth_sendTransaction', 'eth_signTransaction', 'eth_signTypedData', 'wallet_sendCalls'])('%s', (method) => {
    expect(signing(messageFor(STATEMENTS.login), method)).toEqual({ refused: `this wallet does not do ${method}` });
  });
});
