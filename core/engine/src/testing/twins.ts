/** The engine and its naive twin side by side on one flow of commands; the first difference ends it. */
import { isDeepStrictEqual } from 'node:util';
import { assert } from '@orrery/units';
import type { Event, Sequenced } from '@orrery/protocol';
import type { Engine } from '../engine.ts';
import { NaiveExchange } from './naive-exchange.ts';

export interface Difference {
  readonly index: number;
  readonly command: Sequenced;
  readonly engine: string;
  readonly naive: string;
}

/** Undefined while both tell the same. */
export function compareOn(engine: Engine, commands: Iterable<Sequenced>, fillsPerCommand?: number): Difference | undefined {
  const naive = new NaiveExchange(fillsPerCommand);
  let index = 0;
  for (const command of commands) {
    const difference = compareOne(engine, naive, command, index);
    if (difference !== undefined) return difference;
    index += 1;
  }
  return undefined;
}

export function compareOne(engine: Engine, naive: NaiveExchange, command: Sequenced, index: number): Difference | undefined {
  const expected = naive.apply(command);
  const emitted = engineEvents(engine, command);
  if (typeof emitted !== 'string' && sameEvents(emitted, expected)) return undefined;
  return { index, command, engine: typeof emitted === 'string' ? emitted : print(emitted), naive: print(expected) };
}

/** An assertion that fails in the engine is a difference too. */
function engineEvents(engine: Engine, command: Sequenced): readonly Event[] | string {
  try {
    return engine.apply(command).map(withoutFigures);
  } catch (error) {
    return `thrown: ${String(error)}`;
  }
}

/** The naive exchange gives no figures. Those of the engine say what its reason says: one number is beyond another. */
export function withoutFigures(event: Event): Event {
  if (event.type !== 'CommandRejected' || event.figures === undefined) return event;
  const { figures, ...rest } = event;
  assert(figures.asked !== figures.limit, `${event.reason} has figures that differ`);
  return rest;
}

function sameEvents(left: readonly Event[], right: readonly Event[]): boolean {
  return left.length === right.length && left.every((event, index) => sameEvent(event, right[index]!));
}

function sameEvent(left: Event, right: Event): boolean {
  const names = Object.keys(left);
  const [one, other]: [Record<string, unknown>, Record<string, unknown>] = [{ ...left }, { ...right }];
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => one[name] === other[name] || isDeepStrictEqual(one[name], other[name]))
  );
}

const print = (events: readonly Event[]): string =>
  events.map((event) => JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))).join('\n');

/** The fewest commands, in their order, that still make a difference: parts are left out as long as it stays. What is listed stays listed. */
export function shrink(commands: readonly Sequenced[], newEngine: () => Engine, fillsPerCommand?: number): readonly Sequenced[] {
  const listing = commands.filter(isListing);
  let fewest = commands.filter((command) => !isListing(command));
  for (let part = Math.ceil(fewest.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < fewest.length;) {
      const candidate = [...fewest.slice(0, from), ...fewest.slice(from + part)];
      if (compareOn(newEngine(), [...listing, ...candidate], fillsPerCommand) === undefined) from += part;
      else fewest = candidate;
    }
  }
  return [...listing, ...fewest];
}

const isListing = ({ command }: Sequenced): boolean => command.type === 'RegisterAsset' || command.type === 'RegisterMarket';
