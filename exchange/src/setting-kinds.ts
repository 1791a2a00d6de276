/** The kinds of settings: what a value must be, its default, and what it means, in one row of `settings.ts`. */
import { Type, type TSchema } from 'typebox';

interface Words {
  /** What is in force without a value, in words, where it is no constant: it depends on others, or is better described. */
  readonly usual?: string;
  /** Where it may not stand: a setting that finds the configuration file can not be in it. */
  readonly place?: 'environment';
}

interface Form extends Words {
  readonly pattern?: string;
  /** What it must be, in words, where there is a pattern. */
  readonly must?: string;
}

/** Options of our own beside those of JSON schema. */
export interface SettingSchema extends TSchema, Form {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: SettingValue;
  /** For docs/configuration.md: text in Markdown, no point at the end. */
  readonly description?: string;
  readonly secret?: boolean;
}

/** What a value must be, in words. */
export function demandOf({ type, enum: choices, minimum, maximum, must }: SettingSchema): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'array') return 'texts, separated by commas';
  return choices === undefined ? (must ?? 'text') : `one of ${choices.join(', ')}`;
}

export type SettingValue = string | number | readonly string[];

type Range = readonly [minimum: number, maximum: number];

export const Text = (standard: string, description: string, form: Form = {}) => Type.String({ default: standard, description, ...form });
export const Whole = ([minimum, maximum]: Range, standard: number, description: string, words: Words = {}) =>
  Type.Integer({ minimum, maximum, default: standard, description, ...words });
export const Choice = <Choices extends string[]>(choices: readonly [...Choices], standard: Choices[number], description: string) =>
  Type.Enum<Choices>(choices, { default: standard, description });
/** Separated by commas in the environment. */
export const List = (description: string, words: Words = {}) => Type.Array(Type.String(), { default: [], description, ...words });

/** Not there without a value, or what depends on others. */
export const OptionalText = (description: string, form: Form = {}) => Type.Optional(Type.String({ description, ...form }));
export const OptionalWhole = ([minimum, maximum]: Range, description: string, words: Words = {}) =>
  Type.Optional(Type.Integer({ minimum, maximum, description, ...words }));
export const OptionalChoice = <Choices extends string[]>(choices: readonly [...Choices], description: string, words: Words = {}) =>
  Type.Optional(Type.Enum<Choices>(choices, { description, ...words }));
/** Shown nowhere, and taken out of what is written; it can stand in a file that `<NAME>_FILE` names. */
export const Secret = (description: string, form: Form = {}) => Type.Optional(Type.String({ description, secret: true, ...form }));

export const KEY: Form = { pattern: '^0x[0-9a-fA-F]{64}$', must: '0x and 64 hex digits' };
export const ADDRESS: Form = { pattern: '^0x[0-9a-fA-F]{40}$', must: 'an address: 0x and 40 hex digits' };
