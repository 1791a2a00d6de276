/**
 * The smallest engine that a sequencer can be tested with: it opens accounts, folds every command into a digest, so that any difference
 * in history shows in the state, and throws half way through an order named `poison`.
 */
import { createHash } from 'node:crypto';
import type { Engine } from '@orrery/engine';
import { encodeCommand } from '@orrery/protocol';
import type { Event, Sequenced } from '@orrery/protocol';
import { accountId, parseAddress } from '@orrery/units';
import type { Address } from '@orrery/units';
import type { EngineFactory } from '../engine-factory.ts';

interface State {
  digest: string;
  readonly accounts: Address[];
  readonly marketStates: Record<string, string>;
}

class FakeEngine implements Engine {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  apply({ seq, at, command }: Sequenced): readonly Event[] {
    const state = this.#state;
    state.digest = createHash('sha256').update(`${state.digest} ${seq} ${at} `).update(encodeCommand(command)).digest('hex');
    switch (command.type) {
      case 'OpenAccount': {
        if (!state.accounts.includes(command.address)) state.accounts.push(command.address);
        return [{ type: 'AccountOpened', account: accountId(state.accounts.indexOf(command.address) + 1), address: command.address }];
      }
      case 'SetMarketState':
        state.marketStates[String(command.market)] = command.state;
        return [{ type: 'MarketStateChanged', market: command.market, state: command.state }];
      case 'PlaceOrder':
        if (command.clientOrderId === 'poison') throw new Error('a bug of the engine');
        return [{ type: 'CommandRejected', reason: 'NoLiquidity', field: '' }];
      default:
        return [{ type: 'CommandRejected', reason: 'UnknownOrder', field: '' }];
    }
  }

  facts(): readonly Event[] {
    return this.#state.accounts.map((address, index) => ({ type: 'AccountOpened', account: accountId(index + 1), address }));
  }

  /** The digest holds every command. */
  takeRunningHash(): Uint8Array {
    return Buffer.from(this.#state.digest.slice(0, 16), 'hex');
  }

  imbalance(): undefined {
    return undefined;
  }

  continuation(): undefined {
    return undefined;
  }

  due(): undefined {
    return undefined;
  }

  mustWait(): boolean {
    return false;
  }

  stateLayouts(): readonly number[] {
    return [1];
  }

  encodeState(): Uint8Array {
    return new TextEncoder().encode(JSON.stringify(this.#state));
  }
}

export const fakeEngines: EngineFactory = {
  createEngine: () => new FakeEngine({ digest: '', accounts: [], marketStates: {} }),
  decodeState: (bytes) => new FakeEngine(JSON.parse(new TextDecoder().decode(bytes)) as State),
};

/** The address of the `index`-th person. */
export function personAddress(index: number): Address {
  const address = parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
  if (address === undefined) throw new Error(`no address for person ${index}`);
  return address;
}
