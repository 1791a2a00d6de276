/** Reads the command line of a command of this tree. Wrong arguments print the reason and the usage; nothing is run. */

const MISUSED = 2;

/** @param read throws an Error whose message says what is wrong. `--help` prints `usage` and ends the process; a thrown Error prints both and ends it. */
export function asked<Asked>(usage: string, read: () => Asked): Asked {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    process.exit(MISUSED);
  }
}

/** Decimal digits that a double holds exactly. */
const WHOLE = /^(0|[1-9][0-9]{0,14})$/;

/** @throws RangeError that names the option. */
export function wholeNumber(option: string, text: string, { least = 0 }: { readonly least?: number } = {}): number {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value < least)
    throw new RangeError(`${option} is a whole number of at least ${least}, not ${JSON.stringify(text)}`);
  return value;
}

/** @throws RangeError that names the option. */
export function positiveNumber(option: string, text: string): number {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new RangeError(`${option} is a number above zero, not ${JSON.stringify(text)}`);
  return value;
}

/** The known ones that `text` names, separated by commas; all of them when it is undefined. @throws RangeError that lists the known ones. */
export function chosen(option: string, text: string | undefined, known: readonly string[]): readonly string[] {
  const names = text?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new RangeError(`${option}: there is no ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return names;
}
