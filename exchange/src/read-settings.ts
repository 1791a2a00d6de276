/** Reads the settings: the environment first, a secret from the file that `<NAME>_FILE` names too, then the configuration file, then the defaults. */
import { Value } from 'typebox/value';
import { type ConfigurationFile, fieldOfFile, readConfigurationFile, readText } from './configuration-file.ts';
import { demandOf, type SettingSchema } from './setting-kinds.ts';
import { SETTING_SCHEMAS, type SettingName, type Settings } from './settings.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GivenSettings {
  /** What is refused has its default here: so what else is wrong is found in the same pass. */
  readonly settings: Settings;
  /** Where each value comes from, in words; a setting that is not named has its default. */
  readonly sources: ReadonlyMap<SettingName, string>;
  /** Sentences, by setting, or field of the configuration file. */
  readonly refused: ReadonlyMap<string, string>;
  readonly file: ConfigurationFile | undefined;
}

/** @throws StartError with a sentence for each variable that can not be used; a secret is not shown. */
export function readSettings(env: Environment): Settings {
  const { settings, refused } = givenSettings(env);
  if (refused.size > 0) throw new StartError([...refused.values()]);
  return settings;
}

export function givenSettings(env: Environment): GivenSettings {
  const refused = new Map<string, string>();
  const file = attempt(refused, 'ORRERY_CONFIG', () => configurationFile(env));
  for (const [name, sentence] of file?.refused ?? []) refused.set(name, sentence);
  const settings: Record<string, unknown> = {};
  const sources = new Map<SettingName, string>();
  for (const [name, schema] of SETTING_SCHEMAS) {
    const given = attempt(refused, name, () => ofEnvironment(env, name, schema) ?? (file && ofFile(file, name, schema)));
    if (given !== undefined) sources.set(name, given.source);
    const value = given?.value ?? schema.default;
    if (value !== undefined) settings[name] = value;
  }
  return { settings: settings as Settings, sources, refused, file };
}

function attempt<Value>(refused: Map<string, string>, name: string, read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    refused.set(name, error.message);
    return undefined;
  }
}

function configurationFile(env: Environment): ConfigurationFile | undefined {
  const path = present(env['ORRERY_CONFIG']);
  return path === undefined ? undefined : readConfigurationFile(path);
}

interface Given {
  readonly value: unknown;
  readonly source: string;
}

function ofEnvironment(env: Environment, name: SettingName, schema: SettingSchema): Given | undefined {
  const path = schema.secret === true ? present(env[`${name}_FILE`]) : undefined;
  const text = present(env[name]);
  if (path !== undefined) {
    if (text !== undefined) throw new StartError(`${name} and ${name}_FILE are both given: keep one of them`);
    return { value: checked(name, schema, secretIn(path, `${name}_FILE`)), source: `file ${path}` };
  }
  return text === undefined ? undefined : { value: checked(name, schema, text), source: 'environment' };
}

function ofFile({ path, settings }: ConfigurationFile, name: SettingName, schema: SettingSchema): Given | undefined {
  const value = settings.get(name);
  if (value === undefined) return undefined;
  const field = fieldOfFile(name, schema);
  if (schema.secret !== true || typeof value !== 'string') return { value, source: `${field} in ${path}` };
  return { value: checked(name, schema, secretIn(value, `${field} in ${path}`)), source: `file ${value}` };
}

const present = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

function checked(name: string, schema: SettingSchema, text: string): unknown {
  const value = parsed(text, schema);
  if (Value.Check(schema, value)) return value;
  throw new StartError(`${name} must be ${demandOf(schema)}${schema.secret === true ? '' : `, not "${text}"`}`);
}

/** Only plain digits are a number: neither `1e3` nor blanks. */
function parsed(text: string, schema: SettingSchema): unknown {
  if (schema.type === 'integer') return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
  if (schema.type !== 'array') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function secretIn(path: string, name: string): string {
  const text = readText(path, name).trim();
  if (text === '') throw new StartError(`${name} names ${path}, which is empty`);
  return text;
}
