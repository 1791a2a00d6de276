/** Lets other processes reach the heart that leads in this one. */
import type { Sequencer } from '@orrery/sequencer';
import type { DurableSeq } from '../history/durable-seq.ts';
import { troubleOf, type Surroundings } from '../surroundings.ts';
import { HeartServer } from './heart-server.ts';
import { openConnection } from './open-connection.ts';

/** @throws StartError when no server of NATS answers */
export async function serveHeart(
  surroundings: Surroundings,
  { heart, durableSeq }: { heart: Sequencer; durableSeq: DurableSeq },
): Promise<void> {
  const { connection, prefix } = await openConnection(surroundings);
  const onTrouble = troubleOf(surroundings, 'heart server');
  const server = new HeartServer({ heart, connection, prefix, epoch: heart.epoch, traces: surroundings.traces, onTrouble });
  const beating = { isOver: false };
  surroundings.closing.add({
    name: 'the heart for other processes',
    stop: () => {
      beating.isOver = true;
      server.stop();
    },
  });
  beatAfterEachGroup(server, durableSeq, beating).catch(onTrouble);
}

async function beatAfterEachGroup(server: HeartServer, durableSeq: DurableSeq, beating: { readonly isOver: boolean }): Promise<void> {
  while (!beating.isOver) {
    const durable = durableSeq.seq();
    server.beat();
    await durableSeq.grown(durable);
  }
}
