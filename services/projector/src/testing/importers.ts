/**
 * For tests: files of exports as other programs read them. Koinly's universal layout and CoinTracking's import by the rules that these publish: which columns, which
 * labels and types, and what a fee is a part of. A row that breaks a rule is an error.
 */
import { assert } from '@orrery/units';

export type CsvRow = Readonly<Record<string, string>>;

/** RFC 4180. @throws Error where a line has another number of cells than the header. */
export function parseCsv(text: string): readonly CsvRow[] {
  const [header = [], ...lines] = cellsOf(text);
  return lines.map((cells) => {
    assert(cells.length === header.length, `a line has ${cells.length} cells, the header ${header.length}`);
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  });
}

function cellsOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let [line, cell, quoted]: [string[], string, boolean] = [[], '', false];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[at++];
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === ',') [line, cell] = [[...line, cell], ''];
    else if (letter === '\n') {
      lines.push([...line, cell]);
      [line, cell] = [[], ''];
    } else if (letter !== '\r') cell += letter;
  }
  return lines;
}

const KOINLY = [
  'Date',
  'Sent Amount',
  'Sent Currency',
  'Received Amount',
  'Received Currency',
  'Fee Amount',
  'Fee Currency',
  'Net Worth Amount',
  'Net Worth Currency',
  'Label',
  'Description',
  'TxHash',
] as const;

const DEPOSIT_LABELS = new Set([
  '',
  'airdrop',
  'fork',
  'mining',
  'reward',
  'income',
  'lending interest',
  'cashback',
  'fee refund',
  'realized gain',
]);
const WITHDRAWAL_LABELS = new Set(['', 'gift', 'lost', 'donation', 'cost', 'margin fee', 'interest payment', 'realized gain']);
const TRADE_LABELS = new Set(['', 'swap']);

export type Sums = ReadonlyMap<string, bigint>;

/** What Koinly would say that each coin changed by: received less sent less fee. Units of 10^-18. */
export function importKoinly(text: string): Sums {
  const sums = new Sum();
  assert(text.split('\r\n', 1)[0] === KOINLY.join(), 'the header is that of the layout');
  for (const row of parseCsv(text)) {
    assert(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(row['Date'] ?? ''), `the date is ${row['Date']}`);
    const sent = amount(row, 'Sent Amount', 'Sent Currency');
    const received = amount(row, 'Received Amount', 'Received Currency');
    const fee = amount(row, 'Fee Amount', 'Fee Currency');
    assert(sent !== undefined || received !== undefined, 'something moves');
    const labels = sent === undefined ? DEPOSIT_LABELS : received === undefined ? WITHDRAWAL_LABELS : TRADE_LABELS;
    assert(labels.has(row['Label'] ?? ''), `the label is ${row['Label']}`);
    assert(row['TxHash'] === '' || row['TxHash']?.startsWith('0x') === true, `the hash is ${row['TxHash']}`);
    sums.add(received, 1n);
    sums.add(sent, -1n);
    sums.add(fee, -1n);
  }
  return sums.all;
}

const COIN_TRACKING = [
  'Type',
  'Buy Amount',
  'Buy Currency',
  'Sell Amount',
  'Sell Currency',
  'Fee',
  'Fee Currency',
  'Exchange',
  'Trade-Group',
  'Comment',
  'Date',
  'Tx-ID',
] as const;

const INCOMING = new Set(['Deposit', 'Income', 'Other Income', 'Reward / Bonus', 'Airdrop', 'Derivatives / Futures Profit']);
const OUTGOING = new Set(['Withdrawal', 'Spend', 'Lost', 'Other Fee', 'Other Expense', 'Derivatives / Futures Loss']);

/** What CoinTracking would say that each coin changed by: buy less sell; a fee in one of their coins is a part of them. Units of 10^-18. */
export function importCoinTracking(text: string): Sums {
  const sums = new Sum();
  assert(text.split('\r\n', 1)[0] === COIN_TRACKING.join(), 'the header is that of the layout');
  for (const row of parseCsv(text)) {
    assert(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(row['Date'] ?? ''), `the date is ${row['Date']}`);
    const [buy, sell] = [amount(row, 'Buy Amount', 'Buy Currency'), amount(row, 'Sell Amount', 'Sell Currency')];
    const fee = amount(row, 'Fee', 'Fee Currency');
    const type = row['Type'] ?? '';
    if (type === 'Trade') assert(buy !== undefined && sell !== undefined, 'a trade has two sides');
    else if (INCOMING.has(type)) assert(buy !== undefined && sell === undefined, `${type} has what came`);
    else assert(OUTGOING.has(type) && buy === undefined && sell !== undefined, `${type} has what left`);
    assert(fee === undefined || fee.coin === buy?.coin || fee.coin === sell?.coin, 'a fee in a third coin would change no balance');
    assert(row['Tx-ID'] !== '', 'each row has an id, by which it is known when it is imported again');
    sums.add(buy, 1n);
    sums.add(sell, -1n);
  }
  return sums.all;
}

interface Amount {
  readonly coin: string;
  readonly units: bigint;
}

/** Above zero, with its coin; neither or both are there. */
function amount(row: CsvRow, name: string, coinName: string): Amount | undefined {
  const [text = '', coin = ''] = [row[name], row[coinName]];
  assert((text === '') === (coin === ''), `${name} and its coin are both there`);
  if (text === '') return undefined;
  const units = unitsOf(text);
  assert(units > 0n, `${name} is ${text}`);
  return { coin, units };
}

const DIGITS = 18;

/** An exact decimal in units of 10^-18. */
export function unitsOf(text: string): bigint {
  assert(/^-?\d+(\.\d{1,18})?$/.test(text), `${text} is an exact decimal`);
  const [whole = '', digits = ''] = text.split('.');
  return BigInt(whole + digits.padEnd(DIGITS, '0'));
}

class Sum {
  readonly all = new Map<string, bigint>();

  add(amount: Amount | undefined, sign: bigint): void {
    if (amount !== undefined) this.all.set(amount.coin, (this.all.get(amount.coin) ?? 0n) + sign * amount.units);
  }
}
