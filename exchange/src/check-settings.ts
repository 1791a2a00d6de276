/** `npm start -- --check`: what is in force and why, or all that can not be used. Nothing is started or created. */
import { type Config, readGiven } from './config.ts';
import { InstallationFile } from './installation.ts';
import { nearest } from './nearest.ts';
import { type Environment, type GivenSettings, givenSettings } from './read-settings.ts';
import type { SettingSchema, SettingValue } from './setting-kinds.ts';
import { fieldOf, SETTING_SCHEMAS } from './settings.ts';
import { StartError } from './start-error.ts';

export interface Check {
  /** Whether the program can start with this, as far as the settings decide it. */
  readonly isUsable: boolean;
  /** What is in force, a setting a line; or what can not be used, a sentence a line. */
  readonly lines: readonly string[];
  /** Variables that nothing reads: a slip, or another program's. */
  readonly hints: readonly string[];
}

export function checkSettings(env: Environment): Check {
  const hints = strayNames(env).map((name) => `${name} is no setting: the nearest is ${nearest(name, NAMES)}`);
  try {
    const given = givenSettings(env);
    const config = readGiven(given);
    const lines = columns([...settingRows(given, config), ...installationRows(given)]);
    return { isUsable: true, lines: lines.map(config.redact), hints };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { isUsable: false, lines: error.reasons, hints };
  }
}

const NAMES: readonly string[] = [...SETTING_SCHEMAS].flatMap(([name, { secret }]) => (secret === true ? [name, `${name}_FILE`] : [name]));

const strayNames = (env: Environment): readonly string[] =>
  Object.keys(env).filter((name) => name.startsWith('ORRERY_') && !NAMES.includes(name));

type Row = readonly [name: string, value: string, source: string];

function settingRows(given: GivenSettings, config: Config): readonly Row[] {
  return [...SETTING_SCHEMAS].map(([name, schema]) => {
    const value = given.settings[name];
    // What has no constant default is decided where the others are known; what is not text, a number or a list there is shown as it was given.
    const decided: unknown = Reflect.get(config, fieldOf(name));
    return [name, shown(isPlain(decided) ? decided : value, schema), given.sources.get(name) ?? 'default'];
  });
}

const isPlain = (value: unknown): value is SettingValue => typeof value === 'string' || typeof value === 'number' || Array.isArray(value);

function shown(value: SettingValue | undefined, { secret, usual }: SettingSchema): string {
  if (value === undefined || (typeof value === 'object' && value.length === 0)) return usual?.replaceAll('`', '') ?? 'none';
  if (secret === true) return 'set';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** The parts of the installation, by the names that they have in the configuration file. */
function installationRows({ file }: GivenSettings): readonly Row[] {
  return Object.keys(InstallationFile.properties).map((part) => {
    const value: unknown = file === undefined ? undefined : Reflect.get(file.installation, part);
    return [
      part,
      value === undefined ? "the program's" : JSON.stringify(value),
      value === undefined ? 'default' : `${part} in ${file?.path}`,
    ];
  });
}

/** Names and values below each other, so that a person reads down; a long value moves only its own line. */
function columns(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value, source]) => `${name.padEnd(width)}  ${value.padEnd(VALUE_WIDTH)}  ${source}`);
}

const VALUE_WIDTH = 36;
