/** Rebuilds history in an empty database, and compares. */
import { migrations, startProjector, type ProjectorTables } from '@orrery/projector';
import type { Heart } from '@orrery/protocol';
import { Chance } from '../chance.ts';
import { SimDatabase } from './sim-database.ts';

/** The first difference in words; undefined when there is none. */
export async function rebuiltDiffers(heart: Heart, written: SimDatabase): Promise<string | undefined> {
  const anew = await SimDatabase.open([migrations], new Chance('rebuild'));
  const trouble = Promise.withResolvers<never>();
  const projector = await startProjector({
    source: {
      seq: () => heart.status().seq,
      covers: () => true,
      present: () => heart.open(),
      subscribe: (after) => heart.subscribe(after),
    },
    db: anew.connect<ProjectorTables>(undefined),
    onTrouble: trouble.reject,
    timer: () => () => undefined,
  });
  await Promise.race([projector.reached(heart.status().seq), trouble.promise]);
  void projector.stop();
  return differenceOf(written.everything(), anew.everything());
}

type Tables = Readonly<Record<string, readonly string[]>>;

function differenceOf(left: Tables, right: Tables): string | undefined {
  for (const [table, rows] of Object.entries(right)) {
    const others = left[table] ?? [];
    for (let index = 0; index < Math.max(rows.length, others.length); index += 1) {
      if (rows[index] !== others[index]) return `${table}: ${others[index] ?? 'nothing'} against ${rows[index] ?? 'nothing'}`;
    }
  }
  return undefined;
}
