/** Faults in the exchange itself, planted to see that they are caught. */
import type { Applied, Heart, View } from '@orrery/protocol';
import type { EngineFactory } from '@orrery/sequencer';
import { atoms } from '@orrery/units';
import type { Call } from './door.ts';
import type { Life } from './life.ts';
import type { Witness } from './oracle/witness.ts';

export type Plant =
  /** Syncs succeed and make nothing durable. */
  | 'ackBeforeSync'
  /** Events are emitted before they are durable. */
  | 'tellsBeforeDurable'
  /** The events of an engine depend on the number of earlier calls. */
  | 'chanceInEngine'
  /** An order that comes again is another order. */
  | 'forgetsNames'
  /** Reads are of seconds ago, whatever the reader has seen already. */
  | 'readsOldViews'
  /** Now and then a written bill is not there. */
  | 'losesRows'
  /** Deposits are credited before they are final. */
  | 'creditsEarly'
  /** Each credit is an atom too large. */
  | 'creditsMore'
  /** Payouts are not seen, and what was paid is refunded. */
  | 'refundsPaid'
  /** The database does not come back. */
  | 'databaseStaysDown';

export function plantedEngines(engines: EngineFactory, plant: Plant | undefined, witness: Witness): EngineFactory {
  if (plant !== 'chanceInEngine' && plant !== 'tellsBeforeDurable') return engines;
  let calls = 0;
  const planted = (engine: ReturnType<EngineFactory['createEngine']>): ReturnType<EngineFactory['createEngine']> => ({
    facts: () => engine.facts(),
    continuation: () => engine.continuation(),
    due: (at) => engine.due(at),
    mustWait: (command) => engine.mustWait(command),
    takeRunningHash: () => engine.takeRunningHash(),
    imbalance: () => engine.imbalance(),
    stateLayouts: () => engine.stateLayouts(),
    encodeState: (layout) => engine.encodeState(layout),
    apply: (sequenced) => {
      calls += 1;
      const isOther = plant === 'chanceInEngine' && calls % 301 === 0;
      const events = engine.apply(isOther ? { ...sequenced, command: { type: 'ExpireOrders' } } : sequenced);
      if (plant === 'tellsBeforeDurable' && sequenced.seq === witness.seq + 1) witness.hear([{ ...sequenced, events }]);
      return events;
    },
  });
  return { createEngine: () => planted(engines.createEngine()), decodeState: (bytes) => planted(engines.decodeState(bytes)) };
}

/** The heart as the gateway and the indexer see it. */
export function plantedHeart(heart: Heart, plant: Plant | undefined, life: Life): Heart {
  const seen = new Set<string>();
  return {
    status: () => heart.status(),
    end: () => heart.end(),
    subscribe: (after) => heart.subscribe(after),
    open: () => (plant === 'readsOldViews' ? oldView(heart.open(), life) : heart.open()),
    submit: (command) => {
      if (plant === 'creditsMore' && command.type === 'CreditDeposit')
        return heart.submit({ ...command, amount: atoms(command.amount + 1n) });
      if (plant !== 'forgetsNames' || command.type !== 'PlaceOrder') return heart.submit(command);
      const isKnown = seen.has(command.clientOrderId);
      seen.add(command.clientOrderId);
      return heart.submit(isKnown ? { ...command, clientOrderId: `${command.clientOrderId}-again` } : command);
    },
  };
}

const OLD_MS = 4_000;

function oldView(view: View, life: Life): View {
  async function* late(): AsyncGenerator<readonly Applied[], void> {
    for await (const batch of view.tail) {
      await life.sleep(OLD_MS);
      yield batch;
    }
  }
  return { seq: view.seq, facts: view.facts, tail: late(), close: () => view.close() };
}

export function plantedCall(call: Call, plant: Plant | undefined): Call {
  if (plant !== 'readsOldViews' || call.query === undefined) return call;
  const { minSeq: _, ...query } = call.query;
  return { ...call, query };
}
