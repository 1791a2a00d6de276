/** A heart in a child process that serves its parent's requests: `node serve.ts <options as JSON>`, with a channel to the parent. */
import { writeSync } from 'node:fs';
import { createEngine, decodeState, type Engine } from '@orrery/engine';
import { HeartError } from '@orrery/protocol';
import { nodeDisk, openSequencer } from '@orrery/sequencer';
import { FATAL_EXIT, STOP, type Answer, type Question, type Reading, type ServeOptions } from './conversation.ts';

const { directory, limits, poison } = JSON.parse(process.argv[2] ?? '') as ServeOptions;

/** The bug strikes when the state is changed already: nothing of it may stay. */
function withBug(engine: Engine): Engine {
  return {
    apply(sequenced) {
      const events = engine.apply(sequenced);
      const { command } = sequenced;
      if (poison !== undefined && command.type === 'PlaceOrder' && command.clientOrderId.startsWith(poison))
        throw new Error('a planted bug');
      return events;
    },
    facts: () => engine.facts(),
    continuation: () => engine.continuation(),
    due: (at) => engine.due(at),
    mustWait: (command) => engine.mustWait(command),
    takeRunningHash: () => engine.takeRunningHash(),
    imbalance: () => engine.imbalance(),
    stateLayouts: () => engine.stateLayouts(),
    encodeState: (layout) => engine.encodeState(layout),
  };
}

const heart = await openSequencer({
  directory,
  engines: { createEngine: () => withBug(createEngine()), decodeState: (bytes) => withBug(decodeState(bytes)) },
  disk: nodeDisk,
  clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
  onFatal(error) {
    writeSync(2, `fatal: ${error.message}\n`);
    // As the program does, but for the answers that are on their way to the parent.
    setImmediate(() => process.exit(FATAL_EXIT));
  },
  log: (line) => writeSync(2, `${line}\n`),
  limits,
});

async function answer(question: Question): Promise<Answer> {
  const { id } = question;
  if (question.ask === 'read') return { id, reading: read() };
  try {
    const { seq, events } = await heart.submit(question.command);
    return { id, done: { seq, events } };
  } catch (error) {
    if (!(error instanceof HeartError)) throw error;
    return { id, refused: { failure: error.failure, outcomeUnknown: error.outcomeUnknown } };
  }
}

function read(): Reading {
  const view = heart.open();
  view.close();
  const open = new Set<number>();
  for (const fact of view.facts) if (fact.type === 'OrderAccepted') open.add(fact.orderId);
  const { stateHash, stateHashSeq } = heart.status();
  return { seq: view.seq, stateHash, stateHashSeq, openOrders: open.size };
}

process.on('message', (said: Question | typeof STOP) => {
  if (said === STOP) void heart.stop().then(() => process.exit(0));
  else void answer(said).then((answered) => process.send?.(answered));
});
process.send?.('ready');
