/**
 * A process that is made to be killed: `node play-script.ts <folder> <seed> <last>` goes on with the script of that seed up to the command
 * `last`, and prints each answer as it arrives, a line with its seq. A fatal error ends it with exit code 3 and the sentence on standard error.
 */
import { writeSync } from 'node:fs';
import { openPlayer } from './player.ts';
import { writeCommands } from './script.ts';

const [directory = '', seed = '', last = ''] = process.argv.slice(2);

const player = await openPlayer({
  directory,
  commands: writeCommands(Number(seed), Number(last)),
  onFatal(error) {
    writeSync(2, `fatal: ${error.message}\n`);
    process.exit(3);
  },
});
writeSync(1, 'ready\n');
await player.play(Number(last), (seq) => writeSync(1, `${seq}\n`));
await player.heart.stop();
