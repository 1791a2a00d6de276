/** `npm run docs`: the tables of settings in docs/configuration.md and README.md are written from the schema, between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { demandOf } from './read-settings.ts';
import type { SettingSchema } from './setting-kinds.ts';
import { SECTIONS, SETTING_SCHEMAS, type SettingName } from './settings.ts';

const BEGIN = '<!-- settings: written by `npm run docs` -->';
const END = '<!-- end of the settings -->';

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

/** The pages with tables, by their places in the repository, and what stands between the two comments of each. */
export const PAGES: ReadonlyMap<string, string> = new Map([
  [
    'README.md',
    table(
      ['variable', 'default', 'meaning'],
      [...SETTING_SCHEMAS]
        .filter(([name]) => README_NAMES.includes(name))
        .map(([name, schema]) => [`\`${name}\``, standardOf(schema), schema.description ?? '']),
    ),
  ],
  [
    'docs/configuration.md',
    Object.entries(SECTIONS)
      .map(([title, settings]) => `### ${title}\n\n${table(['variable', 'value', 'default', 'meaning'], rowsOf(settings))}`)
      .join('\n\n'),
  ],
]);

/** The page with what is to stand between its two comments. */
export function written(page: string, tables: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The page has no ${BEGIN} with ${END} behind it`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${tables}\n\n${page.slice(end)}`;
}

function rowsOf(settings: Readonly<Record<string, SettingSchema>>): readonly (readonly string[])[] {
  return Object.entries(settings).map(([name, schema]) => [
    `\`${name}\``,
    valueOf(schema),
    standardOf(schema),
    `${schema.description ?? ''}${schema.secret === true ? ` (secret: also by \`${name}_FILE\`)` : ''}`,
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
  for (const [path, tables] of PAGES) {
    const file = new URL(`../../${path}`, import.meta.url);
    writeFileSync(file, written(readFileSync(file, 'utf8'), tables));
  }
