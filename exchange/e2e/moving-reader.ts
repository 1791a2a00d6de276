/**
 * A person whose streams move from one gateway to another while trades go on. What it holds is what a client can know: the new connection goes on where the
 * old one is, and is whole before that is closed, so that no trade may be missing and no depth may be wrong.
 */
import type { Balance, Order, UserTrade } from '@orrery/api';
import { type AccountListener, CallError, type Client, ConnectionError, type DepthReplica, Stream } from '@orrery/sdk';
import { until } from './until.ts';

/** Reasons for which a client asks again. */
const LATER: ReadonlySet<unknown> = new Set(['NotNow', 'Overloaded']);
const TOO_MANY = 429;
const BROKEN = 500;
/** New, partly filled, and waiting for its trigger price. */
const OPEN: ReadonlySet<number> = new Set([1, 2, 5]);

export interface Gate {
  readonly url: string;
  /** Of the person, at this gateway. */
  readonly client: Client;
}

interface Held {
  readonly stream: Stream;
  readonly orders: Map<string, Order>;
  readonly balances: Map<string, Balance>;
  depth: DepthReplica | undefined;
  isReady: boolean;
}

export class MovingReader {
  /** Every trade of the account that any of its connections has been sent, by execution. */
  readonly trades = new Map<string, UserTrade>();
  /** Refusals, and depths that could not be proven any more. */
  readonly faults: string[] = [];
  readonly symbol: string;
  #held: Held | undefined;

  constructor(symbol: string) {
    this.symbol = symbol;
  }

  async move({ url, client }: Gate): Promise<void> {
    const held = this.#open(url, client, this.#held?.stream.accountSeq);
    try {
      await until('the stream is whole', () => Promise.resolve(held.isReady && held.depth?.isProven === true));
    } catch (error) {
      held.stream.close();
      throw error;
    }
    this.close();
    this.#held = held;
  }

  close(): void {
    const held = this.#held;
    // A depth that is lost with its connection is no fault.
    this.#held = undefined;
    held?.stream.close();
  }

  get bids(): readonly unknown[] {
    return this.#held?.depth?.bids ?? [];
  }

  get asks(): readonly unknown[] {
    return this.#held?.depth?.asks ?? [];
  }

  /** Ids of open orders. */
  get openOrders(): readonly string[] {
    const open = [...(this.#held?.orders.values() ?? [])].filter(({ state }) => OPEN.has(state));
    return open.map(({ orderId }) => orderId).toSorted();
  }

  /** What the account has of each coin where it trades. */
  get balances(): Readonly<Record<string, string>> {
    return Object.fromEntries([...(this.#held?.balances.values() ?? [])].map(({ coin, balance }) => [coin, balance]));
  }

  #open(url: string, client: Client, from: number | undefined): Held {
    const stream = new Stream({
      baseUrl: url,
      ticket: () => client.streamTicket(),
      onFault: (error) => {
        // A gateway that is behind for a while, or stops, is asked again.
        const isLater =
          error instanceof ConnectionError ||
          (error instanceof CallError && (LATER.has(error.reason) || error.status === TOO_MANY || error.status >= BROKEN));
        if (!isLater) this.faults.push(String(error));
      },
    });
    const held: Held = { stream, orders: new Map(), balances: new Map(), depth: undefined, isReady: false };
    stream.market(this.symbol, {
      onDepth: (depth) => (held.depth = depth),
      onDepthLost: () => {
        if (held === this.#held && stream.state === 'open') this.faults.push(`the depth of ${url} could not be proven`);
      },
    });
    const account: AccountListener = {
      // The connection was lost, and all of it is sent again: what closed meanwhile is not in it.
      onReset: () => {
        held.isReady = false;
        held.orders.clear();
        held.balances.clear();
      },
      onOrder: (order) => held.orders.set(order.orderId, order),
      onBalance: (balance) => {
        if (balance.balanceType === 'spot') held.balances.set(balance.coin, balance);
      },
      onTrade: (trade) => this.trades.set(`${trade.execId} ${trade.takerMaker}`, trade),
      onGap: () => void this.faults.push(`trades are missing at ${url}`),
      onReady: () => (held.isReady = true),
    };
    stream.account(account, { from });
    return held;
  }
}
