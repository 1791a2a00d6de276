/**
 * The file that ORRERY_CONFIG names, such as orrery.config.json: every setting under the name that it has in `Config`, and what one installation decides
 * beyond its settings. A secret does not stand in it, because such a file is shared and kept in a history: what names its file does.
 */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { InstallationFile, type InstallationPart } from './installation.ts';
import { nearest } from './nearest.ts';
import { demandOf, type SettingSchema, type SettingValue } from './setting-kinds.ts';
import { fieldOf, SETTING_SCHEMAS, type SettingName } from './settings.ts';
import { StartError } from './start-error.ts';

export interface ConfigurationFile {
  readonly path: string;
  /** Settings as they stand there; of a secret the path of its file. */
  readonly settings: ReadonlyMap<SettingName, SettingValue>;
  readonly installation: InstallationFile;
  /** What can not be used, by setting or field. */
  readonly refused: ReadonlyMap<string, string>;
}

/** What it may hold, by field: a setting, or a part of the installation. */
const SETTING_FIELDS: ReadonlyMap<string, SettingName> = new Map(
  [...SETTING_SCHEMAS].flatMap(([name, schema]) => (schema.place === 'environment' ? [] : [[fieldOfFile(name, schema), name] as const])),
);
const PARTS = new Map(Object.entries(InstallationFile.properties) as [InstallationPart, SettingSchema][]);
const FIELDS = [...SETTING_FIELDS.keys(), ...PARTS.keys()];

/** The name of a setting in the file; of a secret that of its file. */
export function fieldOfFile(name: SettingName, { secret }: SettingSchema): string {
  return secret === true ? `${fieldOf(name)}File` : fieldOf(name);
}

/** JSON schema of the file, for editors. */
export function fileSchema(): object {
  const settings = [...SETTING_FIELDS].map(([field, name]) => [field, plainSchema(SETTING_SCHEMAS.get(name))] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'orrery.config.json',
    ...Type.Object(
      { $schema: Type.Optional(Type.String()), ...Object.fromEntries([...settings, ...PARTS]) },
      { additionalProperties: false, required: [] },
    ),
  };
}

/** Without options of our own; a default that depends on others is put into words. */
function plainSchema({ secret, must: _must, usual, place: _place, description = '', ...schema }: SettingSchema = {}): object {
  const words = usual === undefined ? description : `${description}. Without it: ${usual}`;
  return secret === true ? { type: 'string', description: `the file that holds this secret: ${words}` } : { ...schema, description: words };
}

/** @throws StartError when it can not be read or is no JSON object; what is wrong inside is `refused`. */
export function readConfigurationFile(path: string): ConfigurationFile {
  const value = parse(path);
  const refused = new Map<string, string>();
  const settings = new Map<SettingName, SettingValue>();
  const installation: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(value)) {
    if (field === '$schema') continue;
    const name = SETTING_FIELDS.get(field);
    const part = PARTS.get(field as InstallationPart);
    const flaw = name === undefined ? flawOfPart(field, part, given) : flawOfSetting(field, SETTING_SCHEMAS.get(name), given);
    if (flaw !== undefined) refused.set(name ?? field, `ORRERY_CONFIG: ${path}: ${flaw}`);
    else if (name === undefined) installation[field] = given;
    else settings.set(name, given as SettingValue);
  }
  return { path, settings, installation, refused };
}

function parse(path: string): object {
  let value: unknown;
  try {
    value = JSON.parse(readText(path, 'ORRERY_CONFIG'));
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`ORRERY_CONFIG: ${path} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new StartError(`ORRERY_CONFIG: ${path}: the file must be object`);
}

function flawOfSetting(field: string, schema: SettingSchema = {}, given: unknown): string | undefined {
  if (schema.secret === true) return isText(given) ? undefined : `${field} must be the path of a file`;
  if (given !== '' && Value.Check(schema, given)) return undefined;
  return `${field} must be ${schema.type === 'array' ? 'a list of texts' : demandOf(schema)}, not ${JSON.stringify(given)}`;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function flawOfPart(field: string, schema: SettingSchema | undefined, given: unknown): string | undefined {
  if (schema === undefined) return unknown(field);
  if (Value.Check(schema, given)) return undefined;
  // The last one is the outermost: of an unknown field it names the field, where the first says that nothing fits there.
  const flaws = [...Value.Errors(schema, given)];
  const flaw = flaws.find(({ keyword }) => keyword === 'additionalProperties' || keyword === 'required') ?? flaws[0];
  const stray = flaw?.keyword === 'additionalProperties' ? flaw.params.additionalProperties[0] : undefined;
  const what = stray === undefined ? flaw?.message : `must not have the field ${stray}`;
  return `${field}${placeOf(flaw?.instancePath ?? '')} ${what ?? 'is no configuration'}`;
}

function unknown(field: string): string {
  const secret = [...SETTING_FIELDS].find(([own, name]) => own !== field && fieldOf(name) === field);
  if (secret !== undefined) return `${field} is a secret: write it into a file of its own, and name that as ${secret[0]}`;
  return `${field} is no setting: the nearest is ${nearest(field, FIELDS)}`;
}

/** `/0/symbol` as `[0].symbol`. */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');

/** @throws StartError naming the variable when the file that it names can not be read. */
export function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(`${name} names ${path}, which can not be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
      cause,
    });
  }
}
