/** The signed-in account as the stream of contracts has it: orders, positions, margin, TWAP orders, the last fills and liquidations. */
import type {
  FuturesFill,
  FuturesOrder,
  Liquidation,
  MarginAccount,
  OwnFuturesOrder,
  OwnTwap,
  Plan,
  Position,
  PositionTerms,
  ProfitStopTerms,
  Twap,
} from '@orrery/api';

/** Each part stays the same object until something of it changes. */
export interface ContractAccountView {
  /** How often the whole state has been received: 0 until it is known once. What has happened is known since the last time. */
  readonly round: number;
  /** Those that rest in a book, newest first. */
  readonly orders: readonly FuturesOrder[];
  readonly plans: readonly Plan[];
  readonly stops: readonly ProfitStopTerms[];
  /** Open ones, in order of opening. */
  readonly positions: readonly Position[];
  readonly accounts: readonly MarginAccount[];
  /** What is set for positions, open or empty: of a position mode that the account has left too. */
  readonly terms: readonly PositionTerms[];
  readonly twaps: readonly Twap[];
  /** Newest first. */
  readonly fills: readonly FuturesFill[];
  readonly liquidations: readonly Liquidation[];
}

export const NO_CONTRACT_ACCOUNT: ContractAccountView = {
  round: 0,
  orders: [],
  plans: [],
  stops: [],
  positions: [],
  accounts: [],
  terms: [],
  twaps: [],
  fills: [],
  liquidations: [],
};

export type ContractMessage =
  /** The whole state is sent from here on. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'order'; readonly order: OwnFuturesOrder }
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'account'; readonly account: MarginAccount }
  | { readonly kind: 'terms'; readonly terms: PositionTerms }
  | { readonly kind: 'twap'; readonly twap: OwnTwap }
  | { readonly kind: 'trade'; readonly fill: FuturesFill }
  | { readonly kind: 'liquidation'; readonly step: Liquidation }
  /** The whole state has been sent: changes follow. */
  | { readonly kind: 'ready' };

/** As many as history answers at once. */
const KEPT = 100;

type Part = Exclude<keyof ContractAccountView, 'round'>;

const legOf = ({ symbol, positionSide }: Pick<Position, 'symbol' | 'positionSide'>): string => `${symbol} ${positionSide}`;
const newestFirst = <Row>(byId: ReadonlyMap<string, Row>): readonly Row[] =>
  [...byId].sort(([left], [right]) => Number(right) - Number(left)).map(([, row]) => row);
const inOrder = <Row>(byKey: ReadonlyMap<string, Row>): readonly Row[] => [...byKey.values()];

export class ContractAccountStore {
  #view = NO_CONTRACT_ACCOUNT;
  readonly #changed = new Set<Part>();
  /** While the whole state is being received, no half of it is shown. */
  #isReceiving = false;
  #round = 0;
  #orders = new Map<string, FuturesOrder>();
  #plans = new Map<string, Plan>();
  #stops = new Map<string, ProfitStopTerms>();
  #positions = new Map<string, Position>();
  #accounts = new Map<string, MarginAccount>();
  #terms = new Map<string, PositionTerms>();
  #twaps = new Map<string, Twap>();
  #fills: FuturesFill[] = [];
  #liquidations: Liquidation[] = [];

  get(): ContractAccountView {
    if (this.#isReceiving || (this.#changed.size === 0 && this.#view.round === this.#round)) return this.#view;
    const changed = Object.fromEntries([...this.#changed].map((part) => [part, this.#listOf(part)]));
    this.#changed.clear();
    this.#view = { ...this.#view, ...changed, round: this.#round };
    return this.#view;
  }

  take(message: ContractMessage): void {
    switch (message.kind) {
      case 'begin':
        return this.#begin();
      case 'ready':
        this.#isReceiving = false;
        this.#round += 1;
        return;
      case 'order':
        return this.#putOrder(message.order);
      case 'position': {
        const { position } = message;
        return this.#put('positions', this.#positions, legOf(position), Number(position.positionSize) === 0 ? undefined : position);
      }
      case 'account':
        return this.#put('accounts', this.#accounts, `${message.account.underlyingType} ${message.account.settleCoin}`, message.account);
      case 'terms':
        return this.#put('terms', this.#terms, legOf(message.terms), message.terms);
      case 'twap':
        return this.#put('twaps', this.#twaps, message.twap.twapId, message.twap.twap ?? undefined);
      case 'trade':
        this.#changed.add('fills');
        this.#fills = [message.fill, ...this.#fills].slice(0, KEPT);
        return;
      case 'liquidation':
        this.#changed.add('liquidations');
        this.#liquidations = [message.step, ...this.#liquidations].slice(0, KEPT);
    }
  }

  #begin(): void {
    this.#isReceiving = true;
    for (const rows of [this.#orders, this.#plans, this.#stops, this.#positions, this.#accounts, this.#terms, this.#twaps]) rows.clear();
    this.#fills = [];
    this.#liquidations = [];
    for (const part of Object.keys(NO_CONTRACT_ACCOUNT)) if (part !== 'round') this.#changed.add(part as Part);
  }

  /** In one list at most: what has acted leaves that of what waits. */
  #putOrder({ plan, profitStop, ...order }: OwnFuturesOrder): void {
    const isOver = order.state === 'FILLED' || order.state === 'CANCELED';
    const rests = !isOver && plan === null && profitStop === null;
    this.#put('orders', this.#orders, order.orderId, rests ? order : undefined);
    this.#put('plans', this.#plans, order.orderId, (isOver ? null : plan) ?? undefined);
    this.#put('stops', this.#stops, order.orderId, (isOver ? null : profitStop) ?? undefined);
  }

  /** @param row `undefined`: there is none any more */
  #put<Row>(part: Part, rows: Map<string, Row>, key: string, row: Row | undefined): void {
    if (row === undefined && !rows.delete(key)) return;
    if (row !== undefined) rows.set(key, row);
    this.#changed.add(part);
  }

  #listOf(part: Part): ContractAccountView[Part] {
    switch (part) {
      case 'orders':
        return newestFirst(this.#orders);
      case 'plans':
        return newestFirst(this.#plans);
      case 'stops':
        return newestFirst(this.#stops);
      case 'positions':
        return inOrder(this.#positions);
      case 'accounts':
        return inOrder(this.#accounts);
      case 'terms':
        return inOrder(this.#terms);
      case 'twaps':
        return inOrder(this.#twaps);
      case 'fills':
        return this.#fills;
      case 'liquidations':
        return this.#liquidations;
    }
  }
}

/** What another view has that this one has not: it is all that a page which shows this one needs to be sent. */
export function changesOf(shown: ContractAccountView, now: ContractAccountView): Partial<ContractAccountView> | undefined {
  const changed = Object.entries(now).filter(([part, value]) => shown[part as keyof ContractAccountView] !== value);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
