/** What an account has in contracts as data of its private topics, each printed once for all of its readers. */
import type { Liquidation, PrivateFuturesTopic } from '@orrery/api';
import type { LiquidationStep, Position, PositionSide, Trade } from '@orrery/protocol';
import { NO_TICKS, printAtoms, printLots, type AccountId, type Atoms, type Seq } from '@orrery/units';
import type { ListedContract, OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { settleOf } from '../futures/contract-listing.ts';
import { futuresBalancesOf, marginAccountsOf } from '../futures/futures-account.ts';
import { priceIn } from '../futures/futures-market.ts';
import {
  futuresFillOf,
  futuresOrderText,
  isPlan,
  isProfitStop,
  planText,
  POSITION_SIDE_NAMES,
  profitStopTerms,
} from '../futures/futures-order-text.ts';
import { positionText, termsOf } from '../futures/position-text.ts';
import { endedTwapText, twapText } from '../futures/twap-text.ts';
import type { Logged } from './account-log.ts';

export interface OwnMessage {
  readonly topic: PrivateFuturesTopic;
  /** As the push is named. */
  readonly name: string;
  readonly data: string;
  /** Of the command that caused it, where that is not the one of all messages that go together. */
  readonly seq?: Seq;
}

/** A message that is one of several figures of the same thing: `key` says of what. */
export interface OwnFigures extends OwnMessage {
  readonly key: string;
}

export interface OwnTrade extends Logged {
  readonly trade: Trade;
  readonly role: 'TAKER' | 'MAKER';
  readonly clientOrderId: string;
  readonly positionSide: PositionSide;
  readonly at: number;
  /** Settle atoms that it realised. */
  readonly profit: Atoms;
}

export interface OwnStep extends Logged {
  readonly step: LiquidationStep;
  /** Among the events of its command, as history numbers it: a command may take several steps. */
  readonly place: number;
  readonly at: number;
}

/** What leaves nothing behind by which it could be seen later, and is therefore sent again to a stream that goes on. */
export type Happening = OwnTrade | OwnStep;

export const topicOf = (happening: Happening): PrivateFuturesTopic => ('trade' in happening ? 'trade' : 'liquidation');

const STAGES = { orderBook: 'ORDER_BOOK', takeover: 'TAKE_OVER', adl: 'ADL' } as const;

const own = (topic: PrivateFuturesTopic, data: unknown): OwnMessage => ({ topic, name: topic, data: JSON.stringify(data) });

export class FuturesOwn {
  readonly #floor: Floor;

  constructor(floor: Floor) {
    this.#floor = floor;
  }

  /** Everything there is of a topic; of what only happens there is nothing. */
  present(account: AccountId, topic: PrivateFuturesTopic): readonly OwnMessage[] {
    const floor = this.#floor;
    switch (topic) {
      case 'order': {
        const open = floor.orders.open(account);
        return open.filter(({ order }) => order.contract !== undefined).map((state) => this.order(state, open));
      }
      case 'position':
        return this.positions(account);
      case 'balance':
        return this.balances(account);
      case 'account':
        return this.accounts(account);
      case 'terms':
        return floor.contracts.contracts().flatMap((listed) => this.terms(account, listed));
      case 'twap':
        return floor.twaps.of(account).map(({ twapId }) => this.twap(account, twapId));
      case 'trade':
      case 'liquidation':
        return [];
    }
  }

  order(state: OrderState, open: readonly OrderState[]): OwnMessage {
    const floor = this.#floor;
    return own('order', {
      ...futuresOrderText(floor, state, { open }),
      plan: isPlan(state) ? planText(floor, state) : null,
      profitStop: isProfitStop(state) ? profitStopTerms(floor, state) : null,
    });
  }

  /** Open ones. */
  positions(account: AccountId): readonly OwnFigures[] {
    return this.#floor.positions.of(account).map((position) => this.position(position));
  }

  position(position: Position): OwnFigures {
    const { market, positionSide } = position;
    const text = positionText(this.#floor, position, this.#floor.listedContract(market));
    return { ...own('position', text), key: `position ${market} ${positionSide}` };
  }

  accounts(account: AccountId): readonly OwnFigures[] {
    return marginAccountsOf(this.#floor, account).map((one) => ({
      ...own('account', one),
      key: `account ${one.underlyingType} ${one.settleCoin}`,
    }));
  }

  balances(account: AccountId): readonly OwnMessage[] {
    return futuresBalancesOf(this.#floor, account).map((balance) => own('balance', balance));
  }

  terms(account: AccountId, listed: ListedContract): readonly OwnMessage[] {
    return termsOf(this.#floor, account, listed).map((terms) => own('terms', terms));
  }

  /** As it runs, or that it is over. */
  twap(account: AccountId, twapId: number): OwnMessage {
    const running = this.#floor.twaps.of(account).find((twap) => twap.twapId === twapId);
    const ended = running === undefined ? this.#floor.twaps.ended(twapId) : undefined;
    return own('twap', {
      twapId: String(twapId),
      twap: running === undefined ? null : twapText(this.#floor, running),
      ended: ended === undefined ? null : endedTwapText(this.#floor, ended),
    });
  }

  happening(one: Happening): OwnMessage {
    return { ...('trade' in one ? this.#trade(one) : own('liquidation', this.#liquidationText(one))), seq: one.seq };
  }

  #trade({ trade, role, account, clientOrderId, positionSide, at, profit }: OwnTrade): OwnMessage {
    const { contract } = this.#floor.listedContract(trade.market);
    const fill = futuresFillOf(
      { trade, account, role, clientOrderId, at },
      {
        contract,
        settle: settleOf(this.#floor, contract),
        positionSide,
        closeProfit: profit,
      },
    );
    return { topic: 'trade', name: 'own_trade', data: JSON.stringify(fill) };
  }

  #liquidationText({ step, place, seq, at }: OwnStep): Liquidation {
    const { contract } = this.#floor.listedContract(step.market);
    const settle = settleOf(this.#floor, contract);
    const money = (amount: Atoms): string => printAtoms(amount, settle.decimals);
    const price = priceIn(contract);
    return {
      id: `${seq}:${place}`,
      liquidationId: String(step.liquidationId),
      symbol: contract.symbol,
      positionSide: POSITION_SIDE_NAMES[step.positionSide],
      stage: STAGES[step.stage],
      markPrice: price(step.mark) ?? '0',
      equity: money(step.equity),
      maintenanceMargin: money(step.maintenance),
      size: printLots(step.size, contract.sizePrecision),
      price: step.price === NO_TICKS ? null : price(step.price),
      fromMargin: money(step.fromMargin),
      fromLiquidator: money(step.fromLiquidator),
      fromInsurance: money(step.fromInsurance),
      uncovered: money(step.uncovered),
      settleCoin: settle.code,
      createdTime: at,
    };
  }
}
