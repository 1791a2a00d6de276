/** Where `npm test` is late on a slow machine, less is drawn of what is drawn at random: everything else has its time then. */
export const hasLittleTime = process.env['ORRERY_LITTLE_TIME'] !== undefined;

/** One of this number of experiments is drawn. */
export const littleTimePart = Number(process.env['ORRERY_LITTLE_TIME'] ?? 1);

/** @param all moments of a kill, the earliest first @returns all of them; with little time the last, and by chance one of those before it */
export function momentsOf(all: readonly number[]): readonly number[] {
  const last = all.at(-1);
  const earlier = all[Math.floor(Math.random() * (all.length - 1))];
  if (!hasLittleTime || last === undefined || earlier === undefined) return all;
  process.stdout.write(`killed after ${earlier} and ${last} ms\n`);
  return [earlier, last];
}
