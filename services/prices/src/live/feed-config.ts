/**
 * The configuration of live feeds: a JSON list of `{ format, url, symbols, venue?, weight? }`, where `symbols` maps our symbols to those of the
 * exchange.
 */
import { FEED_FORMATS } from './format.ts';
import type { FeedFormatName } from './format.ts';

export interface FeedConfig {
  readonly format: FeedFormatName;
  readonly url: string;
  /** Ours to theirs. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Spot venues make the index; the mid of perpetual futures elsewhere takes part in the mark. */
  readonly venue: Venue;
  /** In the index, from 1 to 100. */
  readonly weight: number;
}

export type Venue = 'spot' | 'perpetual';
const WEIGHT_MAX = 100;

/** @throws Error with a sentence that names the feed and the field. */
export function parseFeedConfigs(json: string): readonly FeedConfig[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch (cause) {
    throw new Error('the live price feeds are not valid JSON', { cause });
  }
  if (!Array.isArray(list) || list.length === 0) throw new Error('the live price feeds must be a list of at least one feed');
  return list.map((item: unknown, index) => parseFeed(item, `live price feed ${index + 1}`));
}

function parseFeed(item: unknown, name: string): FeedConfig {
  if (typeof item !== 'object' || item === null) throw new Error(`${name} must be an object`);
  const { format, url, symbols, venue = 'spot', weight = 1, ...others } = item as Readonly<Record<string, unknown>>;
  const [unknownField] = Object.keys(others);
  if (unknownField !== undefined) throw new Error(`${name}: ${unknownField} is no field of it`);
  if (typeof format !== 'string' || !isFormat(format))
    throw new Error(`${name}: format must be one of ${Object.keys(FEED_FORMATS).join(', ')}`);
  if (typeof url !== 'string' || !/^wss?:\/\/\S+$/.test(url)) throw new Error(`${name}: url must begin with wss:// or ws://`);
  if (venue !== 'spot' && venue !== 'perpetual') throw new Error(`${name}: venue must be spot or perpetual`);
  if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 1 || weight > WEIGHT_MAX)
    throw new Error(`${name}: weight must be a whole number from 1 to ${WEIGHT_MAX}`);
  return { format, url, symbols: parseSymbols(symbols, name), venue, weight };
}

function parseSymbols(symbols: unknown, name: string): ReadonlyMap<string, string> {
  const pairs = typeof symbols === 'object' && symbols !== null ? Object.entries<unknown>({ ...symbols }) : [];
  const map = new Map<string, string>();
  for (const [ours, theirs] of pairs) {
    if (typeof theirs !== 'string' || theirs === '') throw new Error(`${name}: symbols.${ours} must name a symbol of the exchange`);
    map.set(ours, theirs);
  }
  if (map.size === 0) throw new Error(`${name}: symbols must map at least one market, such as {"BTC_USDC":"BTCUSDC"}`);
  return map;
}

const isFormat = (name: string): name is FeedFormatName => Object.hasOwn(FEED_FORMATS, name);
