/**
 * What the exchange refused in words for a person: none of the wire's. Its sentence belongs to the reason; what the exchange says beyond that, such as
 * a number, is kept. Loaded when something is refused.
 */
import { API_FAULTS, isApiFault } from '@orrery/api';
import type { FaultFigures, FaultName } from '@orrery/api';
import { MEASURED_REASONS, REJECTS, type MeasuredReason } from '@orrery/protocol';
import { CallError } from '@orrery/sdk';
import { decimal, type Decimal } from '../../kit/format/decimal.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import type { refusals } from '../../kit/i18n/messages/en/refusals.ts';
import { say } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';

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
  readonly figures?: FaultFigures | undefined;
}

/** Decimals of what is shown at most: what is needed rounds up, what there is rounds down. */
const SHOWN_DECIMALS = 8;
const [DOWN, UP] = [0, 3] as const;

const isMeasured = (reason: FaultName): reason is MeasuredReason => (MEASURED_REASONS as readonly string[]).includes(reason);

function figuresIn({ asked, limit, unit }: FaultFigures): Record<'asked' | 'limit' | 'short', string> {
  const format = useSettings.getState().numberFormat;
  const coin = unit === 'CONT' ? 'Cont' : unit;
  const shown = (value: Decimal, rounding: typeof DOWN | typeof UP): string =>
    `${formatDecimal(value.round(SHOWN_DECIMALS, rounding).toFixed(), { format })} ${coin}`.trimEnd();
  const [needed, there] = [decimal(asked), decimal(limit)];
  return { asked: shown(needed, UP), limit: shown(there, DOWN), short: shown(needed.minus(there), UP) };
}

export function wordsOf({ reason, msg, field, figures }: Refused): string {
  if (figures !== undefined && isMeasured(reason)) return say(`refusal.both.${reason}`, figuresIn(figures));
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
  const { code, msg, status, reason, field, figures, retryAfterMs } = error;
  if (reason === undefined || !isReason(reason) || msg === '') return error;
  return new CallError({ code, msg: wordsOf({ reason, msg, field, figures }), status, reason, field, figures, retryAfterMs });
}
