/**
 * The files of an export and every column of them: what writes the files takes its columns from here, and so does the dictionary in /docs. A column is
 * one fact. Names and words are stable: programs of others read them.
 */

/**
 * - `id`: made by the exchange; the same thing has the same id in every file.
 * - `text`: written by a person, or with parts by one. What a spreadsheet would take for a formula begins with an apostrophe.
 * - `time`: ISO 8601 in UTC, with milliseconds.
 * - `decimal`: exact, with a point, without an exponent; below zero where it left the account.
 * - `word`: one of a few lower-case words.
 */
export type ExportColumnKind = 'id' | 'text' | 'time' | 'decimal' | 'word' | 'coin' | 'integer' | 'boolean';

type Columns = Readonly<Record<string, readonly [kind: ExportColumnKind, description: string]>>;

export interface ExportFileTerms {
  readonly summary: string;
  /** In the order of the file. */
  readonly columns: Columns;
}

/** Keeps the exact names of the columns. */
const files = <const Files extends Readonly<Record<string, ExportFileTerms>>>(table: Files): Files => table;

const market = {
  market: ['id', 'symbol of the market'],
  product: ['word', 'spot; linear: a contract settled in USDC; inverse: a contract settled in its coin'],
} as const satisfies Columns;

const position = ['word', 'of a contract: both in one-way mode, long or short in hedge mode; empty on the spot market'] as const;

const priceCoin = ['coin', 'what prices count: the quote of the market'] as const;

const size = {
  size_coin: ['coin', 'what sizes count: the base coin, of an inverse contract its quote'],
  value_coin: ['coin', 'what values count: the quote coin, of a contract its settlement coin'],
} as const satisfies Columns;

const moved = {
  bill_id: ['id', 'of the change of the wallet, as in bills.csv'],
  time: ['time', 'when the ledger had it'],
  sequence: ['integer', 'number of the command in the journal'],
} as const satisfies Columns;

const amount = {
  coin: ['coin', 'of the amount'],
  amount: ['decimal', 'received; below zero where it left'],
} as const satisfies Columns;

export const EXPORT_FILES = files({
  fills: {
    summary: 'Your trades, oldest first: a row for each match of an order of yours.',
    columns: {
      trade_id: ['id', 'of the match; the other side has the same'],
      order_id: ['id', 'of your order'],
      client_order_id: ['text', 'your own id of the order; empty where it had none'],
      time: ['time', 'of the match'],
      sequence: ['integer', 'number of the command in the journal'],
      ...market,
      side: ['word', 'buy, sell'],
      position_side: position,
      role: ['word', 'maker: the order rested; taker: it took'],
      price: ['decimal', 'of one unit of the base coin'],
      price_coin: priceCoin,
      size: ['decimal', 'traded'],
      size_coin: size.size_coin,
      value: ['decimal', 'size times price'],
      value_coin: size.value_coin,
      fee: ['decimal', 'paid; below zero a rebate'],
      fee_coin: ['coin', 'of the fee'],
      realized_profit: ['decimal', 'what the trade realised of a position, fees and funding apart; empty on the spot market'],
      realized_profit_coin: ['coin', 'of the realised profit; empty on the spot market'],
    },
  },
  orders: {
    summary:
      'Your orders that are over, oldest first, by the time at which they were placed. Of orders that closed without a fill the newest 10,000 are kept. ' +
      'An open order is not in it.',
    columns: {
      order_id: ['id', 'of the order'],
      client_order_id: ['text', 'your own id; empty where it had none'],
      created_time: ['time', 'when it was accepted'],
      triggered_time: ['time', 'when its trigger price was reached; empty where it was not, or it had none'],
      closed_time: ['time', 'when it was over'],
      ...market,
      side: ['word', 'buy, sell'],
      position_side: position,
      type: [
        'word',
        'limit, market, stop_limit, stop_market, of the spot market also take_profit_limit, take_profit_market, trailing_stop_market',
      ],
      time_in_force: ['word', 'gtc, ioc, fok, gtx'],
      price: ['decimal', 'the limit, or the worst price of a market order; empty where it had none'],
      price_coin: priceCoin,
      trigger_price: ['decimal', 'at which it began to act; empty where it had none'],
      trigger_by: ['word', 'which price triggers it: last, mark, index; empty on the spot market'],
      trailing_ratio: ['decimal', 'distance at which its trigger follows the price, as a ratio; empty where it does not'],
      activation_price: ['decimal', 'from which a trailing stop of the spot market follows the price; empty where it follows at once'],
      ordered_size: ['decimal', 'of the whole order; empty where a value was ordered, or the whole position'],
      ordered_value: ['decimal', 'to spend, where a value was ordered; else empty'],
      filled_size: ['decimal', 'traded in all'],
      filled_value: ['decimal', 'traded in all, by its prices'],
      ...size,
      take_profit_price: ['decimal', 'trigger of the take-profit that came with it; empty without one'],
      stop_loss_price: ['decimal', 'trigger of the stop-loss that came with it; empty without one'],
      reduce_only: ['boolean', 'whether it might only reduce a position; empty on the spot market'],
      close_position: ['boolean', 'whether it closed what the position was when it acted; empty on the spot market'],
      source: [
        'word',
        'what placed it: plain, plan, take_profit, stop_loss, twap, close_all, liquidation; empty of a plain order of the spot market',
      ],
      parent_order_id: ['id', 'the order that it protects; empty where there is none'],
      group_id: ['id', 'orders of one group end one another; of a part of a TWAP that TWAP; empty where there is none'],
      state: ['word', 'filled: all of it; canceled: it ended before, with or without fills'],
      end_reason: ['word', 'why it ended: filled, canceled_by_account, replaced, liquidation and the like'],
    },
  },
  bills: {
    summary:
      'Every change of your wallets, oldest first. Their amounts add up, by wallet and coin, to the change of what the wallet holds, free and held together.',
    columns: {
      ...moved,
      wallet: ['word', 'funding, spot, futures, coin_futures'],
      type: ['word', 'trade, fee, profit, funding, transfer, deposit, withdraw, award and the like'],
      ...amount,
      balance_after: ['decimal', 'of the coin in the wallet after it, free and held together'],
      market: ['id', 'the contract that it came from; empty where it came from none'],
      trade_id: ['id', 'of the trade, as in fills.csv; empty where it came of none'],
      liquidation_id: ['id', 'of the liquidation; empty where it came of none'],
      reference: [
        'text',
        'id of the trade, transfer, deposit, withdrawal, award or liquidation, or the end of the funding interval in unix milliseconds',
      ],
    },
  },
  deposits: {
    summary: 'What came in from the chain or from another account, and what was taken back of it, oldest first.',
    columns: {
      ...moved,
      type: ['word', 'deposit; internal: from another account; deposit_suspended, deposit_written_off: taken back'],
      wallet: ['word', 'funding; what is taken back may come from any'],
      ...amount,
      chain_id: ['integer', 'of the chain; empty of one from another account'],
      transaction_hash: ['id', 'on the chain; empty of one from another account'],
      log_index: ['integer', 'of the deposit in its transaction; empty of one from another account'],
      withdrawal_id: ['id', 'of one from another account: the withdrawal of that account; else empty'],
    },
  },
  withdrawals: {
    summary: 'Your withdrawals, oldest first, in the state they had when the file was written.',
    columns: {
      withdrawal_id: ['id', 'of the withdrawal; reference of its bill'],
      created_time: ['time', 'when it was requested'],
      updated_time: ['time', 'when it reached its state'],
      sequence: ['integer', 'number of the command in the journal'],
      state: ['word', 'held: waits; sent: on its way; posted: paid, and billed by it; refunded: it went back'],
      internal: ['boolean', 'whether it went to an account of this exchange'],
      coin: ['coin', 'of the amount'],
      amount: ['decimal', 'withdrawn, above zero'],
      to_address: ['id', 'receiver on the chain'],
      transaction_hash: ['id', 'on the chain; empty before it is sent, and of internal ones'],
    },
  },
  funding: {
    summary: 'The funding that you paid and received on contracts, oldest first.',
    columns: {
      bill_id: moved.bill_id,
      time: ['time', 'when it was settled'],
      interval_end: ['time', 'end of the funding interval'],
      ...market,
      position_side: position,
      ...amount,
    },
  },
  awards: {
    summary: 'Points and coins that you were given, and what was taken back, oldest first.',
    columns: {
      ...moved,
      type: ['word', 'award; award_reversal: taken back'],
      ...amount,
      award_id: ['text', 'of the award; one that is taken back has the same'],
    },
  },
  koinly: {
    summary:
      'Everything in the layout Koinly universal. A fee is beside what was sent and received: received less sent less fee is what changed. Transfers between your ' +
      'wallets are left out; points and practice money too.',
    columns: {
      Date: ['time', 'YYYY-MM-DD HH:mm:ss UTC'],
      'Sent Amount': ['decimal', 'what left, above zero; else empty'],
      'Sent Currency': ['coin', 'of it'],
      'Received Amount': ['decimal', 'what came, above zero, before the fee; else empty'],
      'Received Currency': ['coin', 'of it'],
      'Fee Amount': ['decimal', 'of a spot trade; else empty'],
      'Fee Currency': ['coin', 'of it'],
      'Net Worth Amount': ['decimal', 'empty'],
      'Net Worth Currency': ['coin', 'empty'],
      Label: ['word', 'realized gain, margin fee, fee refund, reward, lost or empty'],
      Description: ['text', 'market and our ids'],
      TxHash: ['id', 'on the chain; else empty'],
    },
  },
  cointracking: {
    summary:
      'Everything in the layout of a CoinTracking import. Buy and sell include the fee: buy less sell is what changed. Transfers between your wallets are left out; ' +
      'points and practice money too.',
    columns: {
      Type: ['word', 'Trade, Deposit, Withdrawal, Reward / Bonus, Derivatives / Futures Profit and the like'],
      'Buy Amount': ['decimal', 'what came, above zero, less the fee; else empty'],
      'Buy Currency': ['coin', 'of it'],
      'Sell Amount': ['decimal', 'what left, above zero; else empty'],
      'Sell Currency': ['coin', 'of it'],
      Fee: ['decimal', 'part of the amounts before; else empty'],
      'Fee Currency': ['coin', 'of it'],
      Exchange: ['word', 'Orrery'],
      'Trade-Group': ['word', 'the wallet'],
      Comment: ['text', 'market and our ids'],
      Date: ['time', 'YYYY-MM-DD HH:mm:ss, in UTC'],
      'Tx-ID': ['id', 'on the chain; else the id of the bill'],
    },
  },
});

export type ExportFileName = keyof typeof EXPORT_FILES;
export type ExportColumnOf<File extends ExportFileName> = keyof (typeof EXPORT_FILES)[File]['columns'] & string;
