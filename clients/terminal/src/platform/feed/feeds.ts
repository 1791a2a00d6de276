/**
 * What runs in the feed worker: the feed of spot, and the feed of contracts beside it, each on a stream of its own. That of contracts is loaded with the
 * first contract in view or the first account. The page is sent one status: of the market in view.
 */
import type { AggregateTicker, FundingRate, FuturesDeal } from '@orrery/api';
import type { FuturesStream, FuturesStreamOptions, OpenSocket } from '@orrery/sdk';
import type { ContractAccountFeed, ContractAccountPorts } from './contract-account-feed.ts';
import type { contractStream, dealOf } from './contract-stream.ts';
import { MarketFeed } from './market-feed.ts';
import type { FeedPorts } from './market-feed.ts';
import type { FeedStatus, FromFeed, FromWorker, OwnStatus, Post, StreamKind, TopicState, ToWorker, View } from './messages.ts';
import { isPerpetual } from './perpetual.ts';
import { TicketDesk } from './ticket-desk.ts';

export interface ContractPart {
  readonly dealOf: typeof dealOf;
  readonly contractStream: typeof contractStream;
  readonly contractAccount: (ports: ContractAccountPorts) => ContractAccountFeed;
  readonly openFuturesStream: (options: FuturesStreamOptions) => FuturesStream;
}

export interface FeedsPorts extends Omit<FeedPorts, 'post'> {
  readonly post: Post<FromWorker>;
  readonly loadContracts: () => Promise<ContractPart>;
  readonly openSocket: OpenSocket;
  /** The latest trades of a contract, any order. */
  readonly latestContractDeals: (symbol: string) => Promise<readonly FuturesDeal[]>;
}

type Message = Exclude<ToWorker, { readonly type: 'chaos' }>;
/** What holds for every feed, those that begin later too. */
type Summary = Extract<Message, { readonly type: 'start' | 'visibility' | 'pace' }>;

/** Before what could not be loaded is asked for again. */
const RETRY_MS = 2_000;

export class Feeds {
  readonly #ports: FeedsPorts;
  readonly #spot: MarketFeed;
  readonly #keys: TicketDesk;
  #contracts: MarketFeed | undefined;
  #loading: 'not wanted' | 'under way' | { readonly failedAt: number } = 'not wanted';
  #account: 'signedIn' | 'signedOut' = 'signedOut';
  #session = 0;
  #view: View | undefined;
  #contractAccount: ContractAccountFeed | undefined;
  #contractState: TopicState = 'idle';
  readonly #statuses: { -readonly [Kind in StreamKind]?: FeedStatus } = {};
  readonly #ownHeardAt: Record<StreamKind, number> = { spot: 0, contracts: 0 };
  readonly #said = new Map<Summary['type'], Summary>();

  constructor(ports: FeedsPorts) {
    this.#ports = ports;
    this.#spot = new MarketFeed({ ...ports, post: (message, transfer) => this.#post('spot', message, transfer) });
    this.#keys = new TicketDesk(() => ports.post({ type: 'listenKeyWanted' }));
  }

  /** Called every `BEAT_MS`. */
  beat(): void {
    this.#spot.beat();
    this.#contracts?.beat();
    this.#contractAccount?.beat();
    if (typeof this.#loading === 'object' && this.#ports.now() - this.#loading.failedAt >= RETRY_MS) this.#wantContracts();
  }

  receive(message: Message): void {
    switch (message.type) {
      case 'view':
        return this.#show(message);
      case 'listenKey':
        return this.#keys.give(message.key);
      case 'account':
        return this.#turnTo(message);
      case 'start':
      case 'visibility':
      case 'pace':
        this.#said.set(message.type, message);
        this.#spot.receive(message);
        return this.#contracts?.receive(message);
      case 'ticket':
        return this.#spot.receive(message);
    }
  }

  #turnTo(message: Extract<Message, { readonly type: 'account' }>): void {
    this.#account = message.account;
    if (message.session !== this.#session) this.#ownHeardAt.spot = this.#ownHeardAt.contracts = 0;
    this.#session = message.session;
    this.#spot.receive(message);
    if (this.#account === 'signedIn') return this.#followAccount();
    this.#contractAccount?.leave();
    this.#keys.close();
  }

  get #inView(): StreamKind {
    return this.#view !== undefined && isPerpetual(this.#view.symbol) ? 'contracts' : 'spot';
  }

  #show(message: Extract<Message, { readonly type: 'view' }>): void {
    this.#view = message.view;
    const nothing = { type: 'view', view: undefined } as const;
    const isContract = this.#inView === 'contracts';
    this.#spot.receive(isContract ? nothing : message);
    this.#contracts?.receive(isContract ? message : nothing);
    if (isContract) this.#wantContracts();
  }

  #wantContracts(): void {
    if (this.#contracts !== undefined || this.#loading === 'under way') return;
    this.#loading = 'under way';
    this.#ports.loadContracts().then(
      (part) => this.#begin(part),
      () => {
        this.#loading = { failedAt: this.#ports.now() };
      },
    );
  }

  /** With all that holds by now. */
  #begin({ contractStream: adapt, contractAccount, dealOf: dealFrom, openFuturesStream }: ContractPart): void {
    const { post, openSocket, latestContractDeals } = this.#ports;
    const listeners = {
      onQuotes: (quotes: readonly AggregateTicker[]) => post({ type: 'quotes', quotes }),
      onFunding: (funding: FundingRate) => post({ type: 'funding', funding }),
    };
    const feed = new MarketFeed({
      ...this.#ports,
      latestDeals: async (symbol) => (await latestContractDeals(symbol)).map(dealFrom),
      post: (message, transfer) => this.#post('contracts', message, transfer),
      openStream: ({ baseUrl, onState }) => {
        const stream = openFuturesStream({
          baseUrl,
          openSocket,
          listenKey: () => this.#keys.take(),
          onState: (state) => {
            this.#contractAccount?.connectionChanged(state);
            onState?.(state);
          },
        });
        this.#contractAccount = contractAccount({
          stream,
          post: (message) => this.#post('contracts', message),
          onState: (state) => {
            this.#contractState = state;
            this.#postStatus();
          },
        });
        return adapt(stream, listeners);
      },
    });
    this.#contracts = feed;
    for (const message of this.#said.values()) feed.receive(message);
    if (this.#inView === 'contracts') feed.receive({ type: 'view', view: this.#view });
    if (this.#account === 'signedIn') this.#followAccount();
  }

  #followAccount(): void {
    this.#keys.close();
    this.#wantContracts();
    this.#contractAccount?.follow();
  }

  #post(of: StreamKind, message: FromFeed, transfer?: Transferable[]): void {
    switch (message.type) {
      case 'status':
        this.#statuses[of] = message.status;
        return of === this.#inView ? this.#postStatus() : undefined;
      case 'private':
      case 'contractAccount':
      case 'contractNews':
        return this.#ports.post({ ...message, session: this.#session });
      default:
        return this.#ports.post(message, transfer);
    }
  }

  /** Of the market in view, and how the account is on each stream, wherever the page looks. */
  #postStatus(): void {
    const status = this.#statuses[this.#inView];
    if (status === undefined) return;
    const own = { spot: this.#ownOf('spot'), contracts: this.#ownOf('contracts') };
    this.#ports.post({ type: 'status', status: { ...status, account: own[this.#inView].state }, own });
  }

  /** While the account is awaited again its stream counts as away. */
  #ownOf(kind: StreamKind): OwnStatus {
    const phase = this.#statuses[kind]?.phase ?? 'connecting';
    const known = kind === 'contracts' ? this.#contractState : (this.#statuses.spot?.account ?? 'idle');
    const state = known === 'idle' && this.#account === 'signedIn' ? 'waiting' : known;
    if (state === 'fresh') this.#ownHeardAt[kind] = this.#ports.now();
    const heardAt = this.#ownHeardAt[kind];
    return { phase: state === 'waiting' && heardAt > 0 ? 'reconnecting' : phase, state, heardAt };
  }
}
