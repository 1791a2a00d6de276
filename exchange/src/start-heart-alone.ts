/** The role `heart`: keeps the journal and matches, for processes that do everything else. */
import type { Sequencer } from '@orrery/sequencer';
import { beginProcess, type StartOptions, startOrStop } from './begin-process.ts';
import { DurableSeq } from './history/durable-seq.ts';
import { startProverThread } from './history/prover-thread.ts';
import { serveHeart } from './link/serve-heart.ts';
import { historyDirectory, openingAlone, resetPrices, startHeart } from './start-heart.ts';
import { troubleOf } from './surroundings.ts';

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export const startHeartAlone = (options: StartOptions): Promise<void> => startOrStop(options.closing, () => startParts(options));

async function startParts(options: StartOptions): Promise<void> {
  const { surroundings, watched, say } = await beginProcess(options, { isHeld: false });
  say('opening the journal');
  // What an operator opens with care can be given back to the version before.
  const opening = surroundings.config.accepts === 'everything' ? openingAlone : resetPrices;
  const durableSeq = new DurableSeq();
  let heart: Sequencer | undefined;
  const endProving = startProverThread({
    directory: historyDirectory(surroundings.config.dataDirectory),
    durableSeq,
    onProof: (proof) => heart?.acceptProof(proof),
    onDiverged: surroundings.onFatal,
    onTrouble: troubleOf(surroundings, 'prover'),
    log: (line) => surroundings.log.info({ part: 'prover' }, line),
  });
  surroundings.closing.add({ name: 'the proofs of states', stop: endProving });
  const started = await startHeart(surroundings, { opening, onGroup: watched?.metrics.onGroup, say, durableSeq });
  ({ heart } = started);
  await serveHeart(surroundings, started);
  watched?.beginHeart(started);
  say(`this heart leads in epoch ${started.heart.epoch}, from command ${started.heart.status().seq}`);
}
