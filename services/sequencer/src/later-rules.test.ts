/** Rules of a later version of the program: a heart does not take them, and a reader of history ends at them, in place of applying what follows by older ones. */
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import { millis, seq } from '@orrery/units';
import { ReplayDiffers } from './damage.ts';
import { Replay } from './replay.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const ENGINES = { createEngine, decodeState };
const upgrade = (version: number): Command => ({ type: 'UpgradeRules', version });

test('a heart refuses them before they are history', async () => {
  const { heart } = await openHeart(newFolder(), { engines: ENGINES });
  await expect(heart.submit(upgrade(LATEST_RULES + 1))).rejects.toMatchObject({ name: 'HeartError', outcomeUnknown: false });
  expect(heart.status().seq).toBe(0);
  expect((await heart.submit(upgrade(LATEST_RULES))).events).toEqual([{ type: 'RulesUpgraded', version: LATEST_RULES }]);
  await heart.stop();
});

test('a replay ends at them, and goes on over versions that never were', () => {
  const replay = new Replay(ENGINES, undefined);
  const take = (number: number, version: number) =>
    replay.take({
      entry: { kind: 'command', sequenced: { seq: seq(number), at: millis(number), command: upgrade(version) } },
      file: 'a file',
      offset: 0,
    });
  for (const [index, version] of [3, 255].entries()) expect(take(index + 1, version)?.events).toMatchObject([{ type: 'CommandRejected' }]);
  expect(() => take(3, LATEST_RULES + 1)).toThrow(ReplayDiffers);
  expect(replay.seq).toBe(2);
});
