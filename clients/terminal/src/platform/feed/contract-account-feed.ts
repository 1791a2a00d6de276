/** What runs in the feed worker for the account in contracts: follows its stream, keeps it in the store, and sends the page what changed. */
import type { ConnectionState, FuturesStream, Unlisten } from '@orrery/sdk';
import { changesOf, ContractAccountStore, NO_CONTRACT_ACCOUNT } from './contract-account-store.ts';
import type { ContractMessage } from './contract-account-store.ts';
import type { OwnMessage, TopicState } from './messages.ts';

export interface ContractAccountPorts {
  readonly stream: Pick<FuturesStream, 'account'>;
  readonly post: (message: OwnMessage) => void;
  readonly onState: (state: TopicState) => void;
}

export class ContractAccountFeed {
  readonly #ports: ContractAccountPorts;
  #store = new ContractAccountStore();
  #posted = NO_CONTRACT_ACCOUNT;
  #unlisten: Unlisten | undefined;
  #state: TopicState = 'idle';

  constructor(ports: ContractAccountPorts) {
    this.#ports = ports;
  }

  /** Another account, or the same again: nothing is known of it. */
  follow(): void {
    this.leave();
    const take = (message: ContractMessage): void => this.#take(message);
    this.#turn('waiting');
    this.#unlisten = this.#ports.stream.account({
      onReset: () => take({ kind: 'begin' }),
      onOrder: (order) => take({ kind: 'order', order }),
      onPosition: (position) => take({ kind: 'position', position }),
      onAccount: (account) => take({ kind: 'account', account }),
      onTerms: (terms) => take({ kind: 'terms', terms }),
      onTwap: (twap) => take({ kind: 'twap', twap }),
      onTrade: (fill) => take({ kind: 'trade', fill }),
      onLiquidation: (step) => take({ kind: 'liquidation', step }),
      onReady: () => take({ kind: 'ready' }),
    });
  }

  leave(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#store = new ContractAccountStore();
    this.#posted = NO_CONTRACT_ACCOUNT;
    this.#turn('idle');
  }

  /** On a new connection the account is sent again from the beginning. */
  connectionChanged(state: ConnectionState): void {
    if (state !== 'open' && this.#state === 'fresh') this.#turn('waiting');
  }

  beat(): void {
    const now = this.#store.get();
    const changed = changesOf(this.#posted, now);
    if (changed === undefined) return;
    this.#posted = now;
    this.#ports.post({ type: 'contractAccount', changed });
  }

  #take(message: ContractMessage): void {
    const { post } = this.#ports;
    this.#store.take(message);
    if (message.kind === 'begin') return this.#turn('waiting');
    if (message.kind === 'ready') {
      this.beat();
      return this.#turn('fresh');
    }
    // What is there already is no news.
    if (this.#state !== 'fresh') return;
    if (message.kind === 'order' || message.kind === 'trade' || message.kind === 'liquidation' || message.kind === 'twap')
      post({ type: 'contractNews', news: message });
  }

  #turn(state: TopicState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#ports.onState(state);
  }
}
