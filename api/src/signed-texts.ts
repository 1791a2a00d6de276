/** What a wallet signs, for each purpose and each call that takes it, with an example: for the documentation. A test sends each call another statement. */
import { apiKeyChangeStatement, apiKeyStatement } from './apikey.ts';
import { ERASURE_STATEMENT } from './erasure-text.ts';
import { bindNameStatement, nameText } from './name-text.ts';
import { ADD_PASSKEY_STATEMENT, REMOVE_PASSKEY_STATEMENT } from './passkey-statement.ts';
import { type Purpose, STATEMENTS, otcReleaseStatement, withdrawStatement } from './statements.ts';

export interface SignedText {
  /** The call that takes it, by its name in the contract. */
  readonly call: string;
  /** For which the nonce is requested. */
  readonly purpose: Purpose;
  readonly statement: string;
  /** Fields of the call from which the statement is made. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What stands in the message beside the statement. */
  readonly requestId?: string;
}

export function signedTexts(): readonly SignedText[] {
  const key = { label: 'my bot', permission: 'TRADE', ipList: ['203.0.113.7'] } as const;
  const [email, tel] = [{ email: 'alice@example.org' }, { tel: '13800138000', telCountryCode: '86' }];
  const withdrawal = { withdrawalId: 'w-1', amount: '25.5', coin: 'USDC', to: '0x52908400098527886e0f7030069857d2e4169ee7' };
  return [
    { call: 'verify', purpose: 'login', statement: STATEMENTS.login, fields: {} },
    { call: 'agree', purpose: 'terms', statement: STATEMENTS.terms, fields: {} },
    { call: 'connection', purpose: 'connection', statement: STATEMENTS.connection, fields: {} },
    { call: 'createApiKey', purpose: 'api-key', statement: apiKeyStatement(key), fields: key },
    {
      call: 'updateApiKey',
      purpose: 'api-key',
      statement: apiKeyChangeStatement({ ...key, ipList: [] }),
      fields: { ipList: [] },
    },
    {
      call: 'withdraw',
      purpose: 'withdraw',
      statement: withdrawStatement(withdrawal),
      fields: withdrawal,
      requestId: withdrawal.withdrawalId,
    },
    {
      call: 'releaseOtcOrder',
      purpose: 'otc-release',
      statement: otcReleaseStatement({ amount: '70.5', coin: 'USDC', orderId: '1042', buyer: '4f1d2c7b9a3e' }),
      fields: { orderId: '1042' },
    },
    { call: 'bindGoogle', purpose: 'security', statement: STATEMENTS.security, fields: {} },
    { call: 'addPasskey', purpose: 'security', statement: ADD_PASSKEY_STATEMENT, fields: {} },
    { call: 'removePasskey', purpose: 'security', statement: REMOVE_PASSKEY_STATEMENT, fields: {} },
    { call: 'bindEmail', purpose: 'name', statement: bindNameStatement(nameText(email.email)), fields: email },
    { call: 'bindPhone', purpose: 'name', statement: bindNameStatement(nameText(tel.tel, tel.telCountryCode)), fields: tel },
    { call: 'updatePassword', purpose: 'password', statement: STATEMENTS.password, fields: {} },
    { call: 'eraseAccount', purpose: 'erasure', statement: ERASURE_STATEMENT, fields: {} },
  ];
}

/** The whole of an example, as EIP-4361 prints it. */
export function signedTextExample({ statement, requestId }: SignedText): string {
  const host = 'orrery.example';
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '',
    statement,
    '',
    `URI: https://${host}`,
    'Version: 1',
    'Chain ID: 138565',
    'Nonce: 4f1d2c7b9a3e4f1d2c7b9a3e4f1d2c7b',
    'Issued At: 2026-03-02T12:00:00.000Z',
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
  ].join('\n');
}
