/** `npm run docs`: tables in docs/configuration.md and README.md are written from the schema, between two comments, and the schema of the configuration file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fieldOfFile, fileSchema } from './configuration-file.ts';
import { InstallationFile } from './installation.ts';
import { demandOf, type SettingSchema } from './setting-kinds.ts';
import { SECTIONS, SETTING_SCHEMAS, type SettingName } from './settings.ts';

const END = '<!-- end of what is written -->';
const beginOf = (what: string): string => `<!-- ${what}: written by \`npm run docs\` -->`;

/** Those without which nobody gets far; all are in docs/configuration.md. */
const README_NAMES: readonly SettingName[] = [
  'ORRERY_PORT',
  'ORRERY_HOST',
  'ORRERY_DATA',
  'ORRERY_CONFIG',
  'ORRERY_PUBLIC_ORIGINS',
  'ORRERY_DATABASE_URL',
  'ORRERY_RPC_URL',
  'ORRERY_OPERATOR_KEY',
];

/** What is written, by its place in the repository, and what stands there already. */
export const PAGES: ReadonlyMap<string, (page: string) => string> = new Map<string, (page: string) => string>([
  ['README.md', (page) => between(page, 'settings', readmeTable())],
  ['docs/configuration.md', (page) => between(between(page, 'settings', settingsTables()), 'fields', fieldsTable())],
  ['docs/orrery.config.schema.json', () => `${JSON.stringify(fileSchema(), null, 2)}\n`],
]);

function between(page: string, what: string, text: string): string {
  const begin = page.indexOf(beginOf(what));
  const end = page.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`The page has no ${beginOf(what)} with ${END} behind it`);
  return `${page.slice(0, begin)}${beginOf(what)}\n\n${text}\n\n${page.slice(end)}`;
}

const readmeTable = (): string =>
  table(
    ['variable', 'default', 'meaning'],
    [...SETTING_SCHEMAS]
      .filter(([name]) => README_NAMES.includes(name))
      .map(([name, schema]) => [`\`${name}\``, standardOf(schema), schema.description ?? '']),
  );

const settingsTables = (): string =>
  Object.entries(SECTIONS)
    .map(([title, settings]) => `### ${title}\n\n${table(['variable', 'in the file', 'value', 'default', 'meaning'], rowsOf(settings))}`)
    .join('\n\n');

const fieldsTable = (): string =>
  table(
    ['field', 'meaning'],
    Object.entries<SettingSchema>(InstallationFile.properties).map(([field, { description = '' }]) => [`\`${field}\``, description]),
  );

function rowsOf(settings: Readonly<Record<string, SettingSchema>>): readonly (readonly string[])[] {
  return Object.entries(settings).map(([name, schema]) => [
    `\`${name}\``,
    schema.place === 'environment' ? '' : `\`${fieldOfFile(name as SettingName, schema)}\``,
    `${valueOf(schema)}${schema.secret === true ? ', secret' : ''}`,
    standardOf(schema),
    schema.description ?? '',
  ]);
}

function valueOf(schema: SettingSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((choice) => `\`${choice}\``).join(', ');
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`;
  return demandOf(schema);
}

function standardOf({ usual, default: standard }: SettingSchema): string {
  if (usual !== undefined) return usual;
  return standard === undefined || typeof standard === 'object' ? 'none' : `\`${standard}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

if (import.meta.main)
  for (const [path, written] of PAGES) {
    const file = new URL(`../../${path}`, import.meta.url);
    writeFileSync(file, written(existsSync(file) ? readFileSync(file, 'utf8') : ''));
  }
