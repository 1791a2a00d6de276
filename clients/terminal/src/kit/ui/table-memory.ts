/** Which columns of a table a person has hidden and by which they sort, remembered on this device by the table's name. */
import { stored } from '../storage/stored.ts';
import type { Stored } from '../storage/stored.ts';

export interface SortOrder {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

export interface TableChoices {
  readonly hidden: readonly string[];
  readonly sort: SortOrder | undefined;
}

export const NO_CHOICES: TableChoices = { hidden: [], sort: undefined };

const isText = (json: unknown): json is string => typeof json === 'string';

function sortOf(json: unknown): SortOrder | undefined {
  if (typeof json !== 'object' || json === null || !('column' in json) || !('direction' in json)) return undefined;
  const { column, direction } = json;
  return isText(column) && (direction === 'ascending' || direction === 'descending') ? { column, direction } : undefined;
}

export function parseChoices(json: unknown): TableChoices | undefined {
  if (typeof json !== 'object' || json === null || !('hidden' in json) || !Array.isArray(json.hidden)) return undefined;
  if (!json.hidden.every(isText)) return undefined;
  return { hidden: json.hidden, sort: 'sort' in json ? sortOf(json.sort) : undefined };
}

/** @param table the table's name, such as `fills`. */
export const tableMemory = (table: string): Stored<TableChoices> =>
  stored({ name: `table.${table}`, version: 1, fallback: NO_CHOICES, parse: parseChoices });

/** What a press on the heading does: ascending, descending, then the order that the rows came in. */
export function pressed(sort: SortOrder | undefined, column: string): SortOrder | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}
