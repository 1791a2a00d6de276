/**
 * What runs in the feed worker: the feed of spot, and the feed of contracts beside it, each on a stream of its own. That of contracts is loaded with the
 * first contract in view or the first account. The page is sent one status: of the market in view.
 */
import type { AggregateTicker, FundingRate, FuturesDeal } from '@orrery/api';
import type { FuturesStream, FuturesStreamOptions, OpenSocket } from '@orrery/sdk';
import type { contractStream, dealOf } from './contract-stream.ts';
import { MarketFeed } from './market-feed.ts';
import type { FeedPorts } from './market-feed.ts';
import type { ContractNews, FeedStatus, FromWorker, ToWorker, View } from './messages.ts';
import { isPerpetual } from './perpetual.ts';
import { TicketDesk } from './ticket-desk.ts';

export interface ContractPart {
  readonly dealOf: typeof dealOf;
  readonly contractStream: typeof contractStream;
  readonly openFuturesStream: (options: FuturesStreamOptions) => FuturesStream;
}

export interface FeedsPorts extends FeedPorts {
  readonly loadContracts: () => Promise<ContractPart>;
  readonly openSocket: OpenSocket;
  /** The latest trades of a contract, any order. */
  readonly latestContractDeals: (symbol: string) => Promise<readonly FuturesDeal[]>;
}

type Message = Exclude<ToWorker, { readonly type: 'chaos' }>;
/** What holds for every feed, those that begin later too. */
type Standing = Extract<Message, { readonly type: 'start' | 'visibility' | 'pace' }>;
type Kind = 'spot' | 'contracts';

/** Before what could not be loaded is asked for again. */
const RETRY_MS = 2_000;

export class Feeds {
  readonly #ports: FeedsPorts;
  readonly #spot: MarketFeed;
  readonly #keys: TicketDesk;
  #contracts: MarketFeed | undefined;
  #loading: 'not wanted' | 'under way' | { readonly failedAt: number } = 'not wanted';
  #account: 'signedIn' | 'signedOut' = 'signedOut';
  #view: View | undefined;
  #stream: FuturesStream | undefined;
  #unlistenAccount: (() => void) | undefined;
  readonly #statuses: { spot?: FeedStatus; contracts?: FeedStatus } = {};
  readonly #said = new Map<Standing['type'], Standing>();

  constructor(ports: FeedsPorts) {
    this.#ports = ports;
    this.#spot = new MarketFeed({ ...ports, post: (message, transfer) => this.#post('spot', message, transfer) });
    this.#keys = new TicketDesk(() => ports.post({ type: 'listenKeyWanted' }));
  }

  /** Called every `BEAT_MS`. */
  beat(): void {
    this.#spot.beat();
    this.#contracts?.beat();
    if (typeof this.#loading === 'object' && this.#ports.now() - this.#loading.failedAt >= RETRY_MS) this.#wantContracts();
  }

  receive(message: Message): void {
    switch (message.type) {
      case 'view':
        return this.#show(message);
      case 'listenKey':
        return this.#keys.give(message.key);
      case 'account':
        this.#account = message.account;
        this.#spot.receive(message);
        return this.#account === 'signedIn' ? this.#followAccount() : this.#leaveAccount();
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

  get #inView(): Kind {
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
  #begin({ contractStream: adapt, dealOf: dealFrom, openFuturesStream }: ContractPart): void {
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
        this.#stream = openFuturesStream({
          baseUrl,
          openSocket,
          listenKey: () => this.#keys.take(),
          ...(onState !== undefined && { onState }),
        });
        return adapt(this.#stream, listeners);
      },
    });
    this.#contracts = feed;
    for (const message of this.#said.values()) feed.receive(message);
    if (this.#inView === 'contracts') feed.receive({ type: 'view', view: this.#view });
    if (this.#account === 'signedIn') this.#followAccount();
  }

  #followAccount(): void {
    this.#leaveAccount();
    this.#wantContracts();
    const tell = (news: ContractNews): void => this.#ports.post({ type: 'contractNews', news });
    this.#unlistenAccount = this.#stream?.account({
      onOrder: (order) => tell({ kind: 'order', order }),
      onPosition: (position) => tell({ kind: 'position', position }),
      onBalance: () => tell({ kind: 'balance' }),
      onTrade: (fill) => tell({ kind: 'trade', fill }),
      onLiquidation: (step) => tell({ kind: 'liquidation', step }),
      onReady: () => tell({ kind: 'ready' }),
    });
  }

  #leaveAccount(): void {
    this.#unlistenAccount?.();
    this.#unlistenAccount = undefined;
    this.#keys.close();
  }

  #post(of: Kind, message: FromWorker, transfer?: Transferable[]): void {
    if (message.type !== 'status') return this.#ports.post(message, transfer);
    this.#statuses[of] = message.status;
    const { spot } = this.#statuses;
    if (of !== this.#inView) return;
    // The account's own stream of spot carries its money wherever it looks.
    this.#ports.post({ type: 'status', status: { ...message.status, account: spot?.account ?? message.status.account } });
  }
}
