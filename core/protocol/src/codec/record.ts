/**
 * Records with a type: a number for the type, then the fields in the order in which they are listed.
 * A field or a type that is missing or too many does not compile.
 */
import { DecodeError } from './reader.ts';
import type { Reader } from './reader.ts';
import type { Field } from './field.ts';
import type { Writer } from './writer.ts';

interface Typed {
  readonly type: string;
}

/** Every field of the record but its type. */
export type Fields<Value> = { readonly [Key in Exclude<keyof Value, 'type'>]-?: Field<Value[Key]> };

/** `tag` is the type's number in the bytes; it is never given to another type. */
export type Record<Value> = { readonly tag: number } & (Walked<Value> | ByName<Value>);

interface Walked<Value> {
  readonly fields: Fields<Value>;
  /** The same bytes as by walking the fields, but each field reached by its own name: several times as fast, for what every order writes. */
  readonly write?: (writer: Writer, value: Value) => void;
  /** The same value as by walking the fields, made in one piece: several times as fast, and what is read of it later is too. */
  readonly read?: (reader: Reader) => Value;
}

/** Both ways by name: nothing is left to be walked. */
type ByName<Value> = { readonly fields?: never; readonly other?: Other<Value> } & Required<Pick<Walked<Value>, 'write' | 'read'>>;

/** A second form of a type, under a tag of its own: what it has more is not in the bytes of the first, which stay as they were. */
interface Other<Value> extends Required<Pick<Walked<Value>, 'write' | 'read'>> {
  readonly tag: number;
  /** Whether a value is written in this form, or in one after it. */
  isOf(value: Value): boolean;
  /** A third form, in the same way beside this one. */
  readonly other?: Other<Value>;
}

/** One record for each member of the union. */
export type Records<Union extends Typed> = { readonly [Type in Union['type']]: Record<Extract<Union, { type: Type }>> };

export interface UnionCodec<Union> {
  write(writer: Writer, value: Union): void;
  read(reader: Reader): Union;
}

/** A record without a type, as one field: its fields in the order in which they are listed. */
export function record<Value extends object>(fields: Fields<Value>): Field<Value> {
  const layout: Layout = { names: Object.keys(fields), fields: Object.values(fields) };
  return {
    write: (writer, value) => writeFields(writer, layout, value as unknown as Loose),
    // The layout has exactly the fields of the value: `Fields` would not have compiled otherwise.
    read: (reader) => readFields(reader, layout, {}) as unknown as Value,
  };
}

/** Its length, then its entries. */
export function list<Value>(entry: Field<Value>): Field<readonly Value[]> {
  return {
    write: (writer, values) => {
      writer.uint(values.length);
      for (const value of values) entry.write(writer, value);
    },
    read: (reader) => {
      const values: Value[] = [];
      for (let rest = reader.uint(); rest > 0; rest -= 1) values.push(entry.read(reader));
      return values;
    },
  };
}

/** What a record is while its fields are walked by name. */
type Loose = { [name: string]: unknown };

interface Layout {
  readonly names: readonly string[];
  readonly fields: readonly Field<unknown>[];
}

interface TypedLayout extends Layout {
  readonly type: string;
  readonly tag: number;
  readonly write: ((writer: Writer, value: unknown) => void) | undefined;
  readonly read: ((reader: Reader) => unknown) | undefined;
  readonly other: TypedLayout | undefined;
  readonly isOther: ((value: unknown) => boolean) | undefined;
}

interface AnyRecord {
  readonly tag: number;
  readonly fields?: object;
  write?(this: void, writer: Writer, value: unknown): void;
  read?(this: void, reader: Reader): unknown;
  readonly other?: AnyRecord & { isOf(this: void, value: unknown): boolean };
}

export function unionCodec<Union extends Typed>(records: Records<Union>): UnionCodec<Union> {
  const layouts = Object.entries<AnyRecord>(records).map(([type, one]) => typedLayout(type, one));
  const byTag: (TypedLayout | undefined)[] = [];
  for (const layout of layouts.flatMap(formsOf)) {
    if (byTag[layout.tag] !== undefined) throw new RangeError(`tag ${layout.tag} is given twice`);
    byTag[layout.tag] = layout;
  }
  return {
    write(writer, value) {
      let layout = layoutOf(layouts, value.type);
      while (layout.other !== undefined && layout.isOther?.(value) === true) layout = layout.other;
      writer.byte(layout.tag);
      if (layout.write === undefined) writeFields(writer, layout, value as unknown as Loose);
      else layout.write(writer, value);
    },
    read(reader) {
      const layout = byTag[reader.byte()];
      if (layout === undefined) throw new DecodeError('a record of an unknown type');
      // The layout has exactly the fields of this type, and so has its reader: `Records` would not have compiled otherwise.
      return (layout.read === undefined ? readFields(reader, layout, { type: layout.type }) : layout.read(reader)) as Union;
    },
  };
}

const formsOf = (layout: TypedLayout): readonly TypedLayout[] =>
  layout.other === undefined ? [layout] : [layout, ...formsOf(layout.other)];

function typedLayout(type: string, { tag, fields = {}, write, read, other }: AnyRecord): TypedLayout {
  return {
    type,
    tag,
    write,
    read,
    names: Object.keys(fields),
    fields: Object.values(fields),
    other: other === undefined ? undefined : typedLayout(type, other),
    isOther: other?.isOf,
  };
}

/** One after the other, which finds the first few sooner than a map would. */
function layoutOf(layouts: readonly TypedLayout[], type: string): TypedLayout {
  for (const layout of layouts) if (layout.type === type) return layout;
  throw new RangeError(`no record of type ${type}`);
}

function writeFields(writer: Writer, { names, fields }: Layout, value: Loose): void {
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index];
    if (name !== undefined) fields[index]?.write(writer, value[name]);
  }
}

function readFields(reader: Reader, { names, fields }: Layout, value: Loose): Loose {
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index];
    if (name !== undefined) value[name] = fields[index]?.read(reader);
  }
  return value;
}
