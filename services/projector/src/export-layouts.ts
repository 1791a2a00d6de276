/**
 * Bills in the layouts that other programs import. Each line says what left, what came and, of a spot trade, the fee: by coin they add up to what the wallets
 * changed by. Of Koinly's a fee is beside the two amounts, of CoinTracking's a part of them.
 */
import type { Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';
import { lineOf } from './export-csv.ts';
import type { Terms } from './export-terms.ts';
import { DEPOSIT_KEY, tradeOf } from './export-lines.ts';

type Bill = Selectable<ProjectorTables['projector_bill']>;

/** Of a withdrawal to the chain; empty while it has none. */
export type HashOf = (withdrawalId: string) => string;

export const isLayout = (file: string): file is 'koinly' | 'cointracking' => file === 'koinly' || file === 'cointracking';

/** In their order: of one command and one thing, such as a trade with its fee, or both sides of a transfer. */
export function entryGroups(rows: readonly Bill[]): readonly (readonly Bill[])[] {
  const groups: Bill[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (first?.seq === row.seq && first.reference === row.reference) group?.push(row);
    else groups.push([row]);
  }
  return groups;
}

interface Money {
  readonly asset: number;
  /** Atoms, above 0. */
  readonly amount: bigint;
}

interface Entry {
  /** The first of its bills. */
  readonly bill: Bill;
  readonly sent?: Money;
  readonly received?: Money;
  readonly fee?: Money;
}

interface GroupParts {
  readonly group: readonly Bill[];
  readonly terms: Terms;
  readonly hashOf: HashOf;
}

export function layoutLines(file: 'koinly' | 'cointracking', { group, terms, hashOf }: GroupParts): readonly string[] {
  // Points and practice money are no coins that an importer could know.
  const known = group.filter(({ asset }) => terms.asset(asset).kind === 'chain');
  return entriesOf(known).map((entry) => (file === 'koinly' ? koinlyLine(entry, terms, hashOf) : coinTrackingLine(entry, terms, hashOf)));
}

function entriesOf(group: readonly Bill[]): readonly Entry[] {
  if (group[0]?.kind === 'TRADE') return [exchange(group)];
  const of = (wanted: string): readonly Bill[] => group.filter(({ kind }) => kind === wanted);
  const others = group.filter(({ kind }) => kind !== 'COLLATERAL' && kind !== 'TRANSFER');
  return [...netOf(of('TRANSFER')), ...others.map(oneSided), ...pairsOf(of('COLLATERAL')).map(exchange)];
}

/** What transfers brought to the wallets of an export, or took from them: nothing between two that are both in it. A fund moves its money and pays by one command. */
const netOf = (moves: readonly Bill[]): readonly Entry[] =>
  [...Map.groupBy(moves, ({ asset }) => asset).values()].flatMap((bills) => {
    const [bill] = bills;
    const amount = bills.reduce((sum, one) => sum + BigInt(one.amount), 0n);
    return bill === undefined || amount === 0n ? [] : [oneSided({ ...bill, amount: String(amount) })];
  });

/** Collateral that is sold is two bills, what left and what came of it; one command may sell several. */
const pairsOf = (bills: readonly Bill[]): readonly (readonly Bill[])[] =>
  bills.flatMap((bill, at) => (at % 2 === 0 ? [[bill, ...bills.slice(at + 1, at + 2)]] : []));

function oneSided(bill: Bill): Entry {
  const amount = BigInt(bill.amount);
  const money = { asset: bill.asset, amount: amount < 0n ? -amount : amount };
  return amount < 0n ? { bill, sent: money } : { bill, received: money };
}

/** What was given for what, and the fee of it. */
function exchange(group: readonly Bill[]): Entry {
  const sides = group.map((bill) => ({ bill, side: oneSided(bill) }));
  const [first] = group as readonly [Bill, ...Bill[]];
  const sent = sides.find(({ bill, side }) => bill.kind !== 'FEE' && side.sent !== undefined)?.side.sent;
  const received = sides.find(({ bill, side }) => bill.kind !== 'FEE' && side.received !== undefined)?.side.received;
  const fee = sides.find(({ bill }) => bill.kind === 'FEE')?.side.sent;
  return { bill: first, ...(sent && { sent }), ...(received && { received }), ...(fee && { fee }) };
}

/** What positions made and lost. */
const REALIZED: ReadonlySet<string> = new Set(['PROFIT', 'FUNDING', 'LIQUIDATION', 'TAKEOVER', 'DELEVERAGING', 'DEFICIT_SHARE']);

function koinlyLine(entry: Entry, terms: Terms, hashOf: HashOf): string {
  const { bill, sent, received, fee } = entry;
  return lineOf('koinly', {
    Date: `${secondsOf(bill)} UTC`,
    'Sent Amount': amountOf(sent, terms),
    'Sent Currency': coinOf(sent, terms),
    'Received Amount': amountOf(received, terms),
    'Received Currency': coinOf(received, terms),
    'Fee Amount': amountOf(fee, terms),
    'Fee Currency': coinOf(fee, terms),
    'Net Worth Amount': '',
    'Net Worth Currency': '',
    Label: koinlyLabel(entry),
    Description: commentOf(bill, terms),
    TxHash: chainHashOf(bill, hashOf),
  });
}

function koinlyLabel({ bill: { kind }, sent, received }: Entry): string {
  if (sent !== undefined && received !== undefined) return '';
  if (REALIZED.has(kind)) return 'realized gain';
  switch (kind) {
    case 'FEE':
      return sent === undefined ? 'fee refund' : 'margin fee';
    case 'AWARD':
      return 'reward';
    case 'DEPOSIT_WRITTEN_OFF':
      return 'lost';
    default:
      return '';
  }
}

function coinTrackingLine(entry: Entry, terms: Terms, hashOf: HashOf): string {
  const { bill, sent, fee } = entry;
  const received = withoutFee(entry);
  return lineOf('cointracking', {
    Type: coinTrackingType({ ...entry, ...(received === undefined ? {} : { received }) }),
    'Buy Amount': amountOf(received, terms),
    'Buy Currency': coinOf(received, terms),
    'Sell Amount': amountOf(sent, terms),
    'Sell Currency': coinOf(sent, terms),
    Fee: amountOf(fee, terms),
    'Fee Currency': coinOf(fee, terms),
    Exchange: 'Orrery',
    'Trade-Group': bill.wallet,
    Comment: commentOf(bill, terms),
    Date: secondsOf(bill),
    'Tx-ID': chainHashOf(bill, hashOf) || `bill-${bill.id}`,
  });
}

/** The fee of a spot trade is in what was received. */
const withoutFee = ({ received, fee }: Entry): Money | undefined =>
  received === undefined || fee === undefined ? received : { ...received, amount: received.amount - fee.amount };

function coinTrackingType({ bill: { kind }, sent, received }: Entry): string {
  if (sent !== undefined && received !== undefined) return 'Trade';
  const [incoming, outgoing] = REALIZED.has(kind)
    ? (['Derivatives / Futures Profit', 'Derivatives / Futures Loss'] as const)
    : (COIN_TRACKING_TYPES[kind] ?? (['Deposit', 'Withdrawal'] as const));
  return sent === undefined ? incoming : outgoing;
}

/** Where something came, and where it left. */
const COIN_TRACKING_TYPES: Readonly<Record<string, readonly [incoming: string, outgoing: string]>> = {
  FEE: ['Other Income', 'Other Fee'],
  AWARD: ['Reward / Bonus', 'Other Expense'],
  AWARD_REVERSAL: ['Reward / Bonus', 'Other Expense'],
  DEPOSIT_WRITTEN_OFF: ['Deposit', 'Lost'],
};

const amountOf = (money: Money | undefined, terms: Terms): string => (money === undefined ? '' : terms.amount(money.asset, money.amount));
const coinOf = (money: Money | undefined, terms: Terms): string => (money === undefined ? '' : terms.asset(money.asset).code);

/** `2026-11-27 20:41:07`. */
const secondsOf = ({ at }: Bill): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function chainHashOf({ kind, reference }: Bill, hashOf: HashOf): string {
  if (kind === 'DEPOSIT') return DEPOSIT_KEY.exec(reference)?.[2] ?? '';
  return kind === 'WITHDRAW' ? hashOf(reference) : '';
}

function commentOf(bill: Bill, terms: Terms): string {
  const trade = tradeOf(bill);
  const parts = [
    bill.kind.toLowerCase().replaceAll('_', ' '),
    ...(bill.market === null ? [] : [terms.market(bill.market).symbol]),
    ...(trade === '' ? [] : [`trade ${trade}`]),
    `bill ${bill.id}`,
  ];
  return parts.join(', ');
}
