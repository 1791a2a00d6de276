/** E20: history that an earlier build wrote, read by this one: from its first command, and from its old snapshot. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import { verifyFolder } from '@orrery/sequencer/verify';
import { parseAddress } from '@orrery/units';
import type { Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { formOf, goldens, missingForms, missingKinds, type Golden } from '../golden/golden.ts';
import { historyIn } from '../heart/history-in.ts';
import { openPlayer } from '../heart/player.ts';

const ENGINES = { createEngine, decodeState };

export const goldenJournals: Experiment = {
  id: 'E20',
  title: 'history of an earlier build',
  mustHold: 'it is read whole, reaches the state of its build, and goes on',
  async run() {
    const all = goldens();
    const violations: string[] = [];
    for (const golden of all) violations.push(...(await tryGolden(golden)).map((line) => `${golden.name}: ${line}`));
    const kinds = Object.assign({}, ...all.map(({ expected }) => expected.commands)) as Record<string, number>;
    for (const kind of missingKinds(kinds)) violations.push(`no golden history has a ${kind}: make one (src/golden/make.ts)`);
    const forms = Object.assign({}, ...all.map(({ expected }) => expected.forms)) as Record<string, number>;
    for (const form of missingForms(forms)) violations.push(`no golden history has a ${form}: make one (src/golden/make.ts)`);
    const commands = all.reduce((sum, { expected }) => sum + expected.seq, 0);
    return { trials: all.length, facts: { commands, 'kinds of commands': Object.keys(kinds).length }, violations };
  },
};

function tryGolden({ directory: original, expected }: Golden): Promise<readonly string[]> {
  return inFolder(async (folder) => {
    const violations: string[] = [];
    const compare = (what: string, found: number | string, wanted: number | string): void => {
      if (found !== wanted) violations.push(`${what}: ${found}, and it was ${wanted}`);
    };
    const replayed = verifyFolder(original, ENGINES);
    compare('the last command of the replay', replayed.seq, expected.seq);
    compare(
      'the state of the replay',
      replayed.stateHashes.get(expected.layout ?? 1) ?? 'not to be written in its layout',
      expected.stateHash,
    );
    compare('the hashes on the way', replayed.checked, expected.hashes);

    const directory = join(folder, 'history');
    cpSync(original, directory, { recursive: true });
    const { heart } = await openPlayer({ directory, commands: [], log: (line) => violations.push(`the start says: ${line}`) });
    const { seq, stateHash } = heart.status();
    compare('the last command of the start', seq, expected.seq);
    compare('the state of the start', stateHash, replayed.stateHash);
    const address = parseAddress(`0x${'e'.repeat(40)}`);
    if (address === undefined) throw new Error('forty hex digits are an address');
    const next = await heart.submit({ type: 'OpenAccount', address });
    compare('the next command', next.seq, expected.seq + 1);
    await heart.stop();
    violations.push(...(await compareCommands(directory, expected)));
    return violations;
  });
}

/** By kind, and by form where a history says them, without the one that came after. */
async function compareCommands(directory: string, expected: Golden['expected']): Promise<readonly string[]> {
  const { applied } = await historyIn(directory);
  const counts: Record<string, number> = {};
  const forms: Record<string, number> = {};
  let poisoned = 0;
  for (const { command, events } of applied.slice(0, expected.seq)) {
    counts[command.type] = (counts[command.type] ?? 0) + 1;
    const form = formOf(command);
    if (form !== undefined) forms[form] = (forms[form] ?? 0) + 1;
    if (events.some((event) => event.type === 'CommandRejected' && event.reason === 'InternalReject')) poisoned += 1;
  }
  return [
    ...differencesOf(counts, expected.commands),
    ...differencesOf(forms, expected.forms ?? {}),
    ...(poisoned === expected.poisoned ? [] : [`${poisoned} commands are poisoned, and ${expected.poisoned} were`]),
  ];
}

function differencesOf(found: Readonly<Record<string, number>>, wanted: Readonly<Record<string, number>>): readonly string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  return [...names]
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `there are ${found[name] ?? 0} ${name}, and there were ${wanted[name] ?? 0}`);
}
