/**
 * What an e-mail wallet signs: the messages of this exchange, from its own page, for its own chain, in the forms that are known here. Everything
 * else is refused with a reason, before the share of the exchange is asked for.
 */
import { ADD_PASSKEY_STATEMENT, ERASURE_STATEMENT, REMOVE_PASSKEY_STATEMENT, STATEMENTS } from '@orrery/api';
import type { SignRequest } from './protocol.ts';

export const CHAIN_ID = 138_565;

/** The most that one signature withdraws, in units of the coin. */
export const CAPS: Readonly<Record<string, number>> = { USDC: 100_000, BTC: 1, ETH: 30, SOL: 700, BNB: 150, WSOSO: 200_000 };

export interface Context {
  /** Of the page that asks, as the browser reports it. */
  readonly origin: string;
  readonly address: string;
}

export interface Fact {
  readonly term: string;
  readonly text: string;
}

export type Judgement = { readonly message: string; readonly facts: readonly Fact[] } | { readonly refused: string };

const MESSAGE = new RegExp(
  [
    '^(?<domain>[^\\s/?#@]{1,255}) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    '(?<statement>[\\x20-\\x7e]{1,1200})',
    '',
    'URI: (?<uri>[\\x21-\\x7e]{1,255})',
    'Version: 1',
    'Chain ID: (?<chainId>[1-9][0-9]{0,15})',
    'Nonce: [0-9a-zA-Z]{8,64}',
    'Issued At: [0-9TZ:.-]{1,40}(?:',
    'Request ID: [\\x21-\\x7e]{1,80})?$',
  ].join('\n'),
);

const WITHDRAWAL = /^Withdraw (?<amount>[0-9]{1,38}(?:\.[0-9]{1,37})?) (?<coin>[A-Z0-9]{1,12}) from Orrery to (?<to>0x[0-9a-fA-F]{40})\.$/;
const RELEASE =
  /^Release (?<amount>[0-9]{1,38}(?:\.[0-9]{1,37})?) (?<coin>[A-Z0-9]{1,12}) of OTC order (?<orderId>[1-9][0-9]{0,15}) to trader (?<buyer>[0-9a-f]{12}) on Orrery\.$/;
const API_KEY =
  /^(?:Make|Change) the (?:READ|TRADE) API key '[^']*' of Orrery(?<rights>(?:, with (?:TRANSFER|WITHDRAW))*), used from [\x20-\x7e]+\.$/;
const NAME = /^Bind \S+ to my account on Orrery\.$/;

const PURPOSES: Readonly<Record<keyof typeof STATEMENTS, string>> = {
  login: 'Sign in',
  terms: 'Accept the terms',
  security: 'Bind an authenticator app',
  password: 'Set a new password',
  connection: 'Open the trading connection',
};
const isPurpose = (name: string): name is keyof typeof STATEMENTS => Object.hasOwn(PURPOSES, name);

export function judge({ method, text }: SignRequest, context: Context): Judgement {
  if (method === 'eth_signTypedData_v4') return { refused: 'this wallet signs no typed data: the exchange asks for none' };
  if (method !== 'personal_sign') return { refused: `this wallet does not do ${method}` };
  const groups = MESSAGE.exec(text)?.groups;
  if (groups === undefined) return { refused: 'this is no message of the exchange' };
  const { domain = '', address = '', statement = '', uri = '', chainId = '' } = groups;
  const own = new URL(context.origin);
  if (domain !== own.host || uri !== own.origin) return { refused: `the message is for ${domain}, and the page that asks is ${own.host}` };
  if (chainId !== String(CHAIN_ID)) return { refused: `the message is for chain ${chainId}, not ${CHAIN_ID}` };
  if (address.toLowerCase() !== context.address.toLowerCase())
    return { refused: `the message is for ${address}, which is not this wallet` };
  const asked = factsOf(statement);
  if ('refused' in asked) return asked;
  const around = [
    { term: 'Site', text: own.host },
    { term: 'Wallet', text: address },
    { term: 'Statement', text: statement },
  ];
  return { message: text, facts: [...asked.facts, ...around] };
}

type Asked = { readonly facts: readonly Fact[] } | { readonly refused: string };
type Moved = Readonly<Record<string, string>>;

function factsOf(statement: string): Asked {
  const fixed = Object.entries(STATEMENTS).find(([, words]) => words === statement)?.[0];
  if (fixed !== undefined && isPurpose(fixed)) return purpose(PURPOSES[fixed]);
  if (statement === ERASURE_STATEMENT) return purpose('Delete your account');
  if (statement === ADD_PASSKEY_STATEMENT) return purpose('Add a passkey');
  if (statement === REMOVE_PASSKEY_STATEMENT) return purpose('Remove a passkey');
  const rights = API_KEY.exec(statement)?.groups?.['rights'];
  if (rights !== undefined)
    return purpose(rights.includes('WITHDRAW') ? 'Make or change an API key that can withdraw' : 'Make or change an API key');
  if (NAME.test(statement)) return purpose('Bind an e-mail address or a telephone number');
  const release = RELEASE.exec(statement)?.groups;
  if (release !== undefined) {
    const { orderId = '', buyer = '' } = release;
    const order = [
      { term: 'Order', text: orderId },
      { term: 'To', text: `trader ${buyer}` },
    ];
    return moved('Release a coin', release, 'releases', order);
  }
  const withdrawal = WITHDRAWAL.exec(statement)?.groups;
  if (withdrawal === undefined) return { refused: 'what the message is for is not known here' };
  return moved('Withdraw', withdrawal, 'withdraws', [{ term: 'To', text: withdrawal['to'] ?? '' }]);
}

/** What leaves by one signature, within the cap of its coin. */
function moved(what: string, { amount = '', coin = '' }: Moved, verb: string, more: readonly Fact[]): Asked {
  const cap = Object.hasOwn(CAPS, coin) ? CAPS[coin] : undefined;
  if (cap === undefined) return { refused: `this wallet ${verb} no ${coin}` };
  if (Number(amount) > cap) return { refused: `one signature ${verb} ${cap} ${coin} at most` };
  return { facts: [...purpose(what).facts, { term: 'Amount', text: `${amount} ${coin}` }, ...more] };
}

const purpose = (text: string): { readonly facts: readonly Fact[] } => ({ facts: [{ term: 'Purpose', text }] });
