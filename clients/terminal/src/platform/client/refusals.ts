/**
 * What the exchange refused in words for a person: none of the wire's. Its sentence belongs to the reason; what the exchange says beyond that, such as
 * a number, is kept. Loaded when something is refused.
 */
import { API_FAULTS, isApiFault } from '@orrery/api';
import type { FaultName } from '@orrery/api';
import { REJECTS } from '@orrery/protocol';
import { CallError } from '@orrery/sdk';
import type { refusals } from '../../kit/i18n/messages/en/refusals.ts';
import { say } from '../../kit/i18n/text.tsx';

type TextId = keyof typeof refusals;

/** What people know the fields of the wire by. */
const FIELDS: Readonly<Record<string, TextId>> = {
  size: 'refusal.field.size',
  origQty: 'refusal.field.size',
  totalAmount: 'refusal.field.size',
  price: 'refusal.field.price',
  stopPrice: 'refusal.field.trigger',
  triggerPrice: 'refusal.field.trigger',
  triggerProfitPrice: 'refusal.field.takeProfit',
  takeProfit: 'refusal.field.takeProfit',
  triggerStopPrice: 'refusal.field.stopLoss',
  stopLoss: 'refusal.field.stopLoss',
  amount: 'refusal.field.amount',
  funds: 'refusal.field.amount',
  margin: 'refusal.field.amount',
  leverage: 'refusal.field.leverage',
  orderId: 'refusal.field.order',
  clientOrderId: 'refusal.field.order',
  entrustId: 'refusal.field.order',
  profitId: 'refusal.field.order',
  twapId: 'refusal.field.order',
  symbol: 'refusal.field.market',
  market: 'refusal.field.market',
  coin: 'refusal.field.coin',
  timeInForce: 'refusal.field.timeInForce',
  reduceOnly: 'refusal.field.reduceOnly',
  callbackRate: 'refusal.field.distance',
  trailingPpm: 'refusal.field.distance',
  slippagePpm: 'refusal.field.slippage',
  notBestPriceRate: 'refusal.field.slippage',
  minutes: 'refusal.field.minutes',
  address: 'refusal.field.address',
  username: 'refusal.field.name',
  name: 'refusal.field.name',
  email: 'refusal.field.email',
  password: 'refusal.field.password',
  currentPassword: 'refusal.field.password',
  google: 'refusal.field.code',
  code: 'refusal.field.code',
  account: 'refusal.field.account',
  file: 'refusal.field.file',
  fileId: 'refusal.field.file',
  key: 'refusal.field.key',
  passkey: 'refusal.field.passkey',
};

const nameOf = (field: string): string => say(FIELDS[field] ?? 'refusal.field.other');

const templateOf = (reason: FaultName): string => (isApiFault(reason) ? API_FAULTS[reason] : REJECTS[reason]).message;
const isReason = (reason: string): reason is FaultName => isApiFault(reason) || Object.hasOwn(REJECTS, reason);

/** Reasons by their codes: an answer to several orders has no names. */
const BY_CODE: ReadonlyMap<number, FaultName> = new Map(
  Object.entries({ ...REJECTS, ...API_FAULTS }).map(([reason, { code }]) => [code, reason as FaultName]),
);

/** The field in the sentence of a reason, empty where it names none; `undefined` when it is another sentence. */
function fieldIn(reason: FaultName, msg: string): string | undefined {
  const [before = '', after] = templateOf(reason).split('{field}');
  if (after === undefined) return msg === before ? '' : undefined;
  return msg.startsWith(before) && msg.endsWith(after) ? msg.slice(before.length, msg.length - after.length) : undefined;
}

/** In sentences of its own the exchange names the side on which a trigger must be by the names of the wire. */
const OWN_SENTENCES: ReadonlySet<FaultName> = new Set(['InvalidTrigger']);

export interface Refused {
  readonly reason: FaultName;
  readonly msg: string;
  readonly field: string;
}

export function wordsOf({ reason, msg, field }: Refused): string {
  const own = fieldIn(reason, msg);
  if (own !== undefined || OWN_SENTENCES.has(reason))
    return say(`refusal.${reason}`, { field: nameOf(field === '' ? (own ?? '') : field) });
  // It says more than its reason: only the name of the field is of the wire.
  return field !== '' && msg.startsWith(`${field} `) ? `${nameOf(field)}${msg.slice(field.length)}.` : msg;
}

/** Of one item of an answer to several. */
export function wordsOfItem({ code, msg }: { readonly code: number; readonly msg: string }): string {
  const reason = BY_CODE.get(code);
  return reason === undefined ? msg : wordsOf({ reason, msg, field: /^[a-z]+[A-Z]\w*(?= )/.exec(msg)?.[0] ?? '' });
}

export function worded(error: CallError): CallError {
  const { code, msg, status, reason, field, retryAfterMs } = error;
  if (reason === undefined || !isReason(reason) || msg === '') return error;
  return new CallError({ code, msg: wordsOf({ reason, msg, field }), status, reason, field, retryAfterMs });
}
