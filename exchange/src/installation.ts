/**
 * What one installation decides about itself beyond its settings: blocked addresses, markets with their fees and limits, caps of withdrawals, and
 * the chains that pages offer. A JSON file that ORRERY_CONFIG names; everything in it is optional.
 */
import { TEST_BLOCKED_ADDRESSES } from '@orrery/accounts';
import { AddressText, Chain, Decimal, Symbol } from '@orrery/api';
import { CHAIN_ID } from '@orrery/contracts';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Contract, WithdrawalCaps } from '@orrery/protocol';
import { invalidCapsField } from '@orrery/rules';
import { parseAtoms } from '@orrery/units';
import { collateralsOf, FIRST_CONTRACT } from './contract-plans.ts';
import {
  ASSETS,
  CONTRACTS,
  type Listing,
  MARKET_PLANS,
  type MarketPlan,
  marketOf,
  USUAL_LISTING,
  USUAL_TERMS,
  VAULT_CAPS,
} from './listing.ts';
import { readText } from './read-settings.ts';
import { StartError } from './start-error.ts';

export interface Installation {
  /** Those that may not take part. One that is taken off the list later stays blocked until an operator unblocks it. */
  readonly blockedAddresses: readonly string[];
  readonly listing: Listing;
  /** What an account may withdraw within 24 hours: USDC as decimals, from level 1 on. */
  readonly withdrawalQuotas: readonly string[];
  /** Offered beside the chain on which trading happens. */
  readonly otherChains: readonly Chain[];
}

const closed = { additionalProperties: false };
const Ppm = Type.Integer({ minimum: 0, maximum: 999_999 });
const Decimals = Type.Integer({ minimum: 0, maximum: 18 });

const MarketTerms = Type.Object(
  {
    symbol: Symbol,
    market: Type.Optional(Type.Integer({ minimum: 1, maximum: FIRST_CONTRACT - 1 })),
    pricePrecision: Type.Optional(Decimals),
    sizePrecision: Type.Optional(Decimals),
    maxPrice: Type.Optional(Decimal),
    maxSize: Type.Optional(Decimal),
    minNotional: Type.Optional(Decimal),
    maxNotional: Type.Optional(Decimal),
    makerFeePpm: Type.Optional(Ppm),
    takerFeePpm: Type.Optional(Ppm),
    limitBandPpm: Type.Optional(Ppm),
    marketBandPpm: Type.Optional(Ppm),
    maxOpenOrders: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
  closed,
);

const InstallationFile = Type.Object(
  {
    blockedAddresses: Type.Optional(Type.Array(AddressText)),
    /** Of every market that names none of its own. */
    fees: Type.Optional(Type.Object({ makerPpm: Ppm, takerPpm: Ppm }, closed)),
    /** All markets; those that the program knows need their symbol only. */
    markets: Type.Optional(Type.Array(MarketTerms, { minItems: 1 })),
    /** The perpetual contracts to be listed, by symbol; all of the program's without it. */
    contracts: Type.Optional(Type.Array(Symbol)),
    /** By code of an asset; the others have those of the vault. */
    withdrawalCaps: Type.Optional(Type.Record(Type.String(), Type.Object({ hourly: Decimal, daily: Decimal }, closed))),
    /** USDC within 24 hours, from level 1 on; the last one is also that of higher levels. */
    withdrawalQuotas: Type.Optional(
      Type.Array(Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,6})?$' }), { minItems: 1, maxItems: 3 }),
    ),
    chains: Type.Optional(Type.Array(Type.Object(Chain.properties, closed))),
  },
  closed,
);
type InstallationFile = Static<typeof InstallationFile>;

const OTHER_CHAINS: readonly Chain[] = [
  {
    chainId: 286_623,
    name: 'ValueChain',
    rpcUrls: ['https://mainnet.valuechain.xyz'],
    explorerUrl: 'https://main-scan.valuechain.xyz',
    nativeCurrency: { name: 'SOSO', symbol: 'SOSO', decimals: 18 },
  },
  {
    chainId: 1,
    name: 'Ethereum',
    rpcUrls: ['https://cloudflare-eth.com'],
    explorerUrl: 'https://etherscan.io',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  },
];

/** USDC within 24 hours: with a wallet alone, with an authenticator app beside it, with a verified identity. */
const WITHDRAWAL_QUOTAS = ['1000', '10000', '100000'];

/** @throws StartError with the place in the file and what is wrong there; without a file the defaults. */
export function readInstallation(path: string | undefined): Installation {
  if (path === undefined)
    return {
      blockedAddresses: TEST_BLOCKED_ADDRESSES,
      listing: USUAL_LISTING,
      withdrawalQuotas: WITHDRAWAL_QUOTAS,
      otherChains: OTHER_CHAINS,
    };
  const file = parse(path);
  return {
    blockedAddresses: file.blockedAddresses ?? TEST_BLOCKED_ADDRESSES,
    listing: listingOf(path, file),
    withdrawalQuotas: file.withdrawalQuotas ?? WITHDRAWAL_QUOTAS,
    otherChains: otherChains(path, file),
  };
}

const wrong = (path: string, place: string, what: string): StartError => new StartError(`ORRERY_CONFIG: ${path}: ${place} ${what}`);

function parse(path: string): InstallationFile {
  const text = readText(path, 'ORRERY_CONFIG');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new StartError(`ORRERY_CONFIG: ${path} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (Value.Check(InstallationFile, value)) return value;
  // The last one is the outermost: of an unknown field it names the field, where the first says that nothing fits there.
  const flaws = [...Value.Errors(InstallationFile, value)];
  const flaw = flaws.find(({ keyword }) => keyword === 'additionalProperties' || keyword === 'required') ?? flaws[0];
  const unknown = flaw?.keyword === 'additionalProperties' ? flaw.params.additionalProperties[0] : undefined;
  const what = unknown === undefined ? flaw?.message : `must not have the field ${unknown}`;
  throw wrong(path, placeOf(flaw?.instancePath ?? ''), what ?? 'is no configuration');
}

/** `/markets/0/symbol` as `markets[0].symbol`. */
function placeOf(pointer: string): string {
  const place = pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');
  return place === '' ? 'the file' : place.replace(/^\./, '');
}

function listingOf(path: string, { markets, fees, contracts, withdrawalCaps = {} }: InstallationFile): Listing {
  const wanted = markets ?? MARKET_PLANS.map(({ symbol }) => ({ symbol }));
  const common = fees === undefined ? {} : { makerFeePpm: fees.makerPpm, takerFeePpm: fees.takerPpm };
  const seen = new Set<string | number>();
  const list = wanted.map((terms, index) => {
    const place = `markets[${index}]`;
    const market = marketOf(
      planOf(terms, common, (field) => wrong(path, `${place}.${field}`, `is missing: ${terms.symbol} has no defaults`)),
    );
    if ('field' in market) throw wrong(path, `${place}.${market.field}`, `must ${market.must}`);
    for (const [field, value] of [['symbol', market.symbol] as const, ['market', market.market] as const]) {
      if (seen.has(value)) throw wrong(path, `${place}.${field}`, `is there twice: ${value}`);
      seen.add(value);
    }
    return market;
  });
  return {
    markets: list,
    isBinding: markets !== undefined || fees !== undefined,
    withdrawalCaps: capsOf(path, withdrawalCaps),
    practice: [],
    contracts: (contracts ?? CONTRACTS.map(({ symbol }) => symbol)).map((symbol, index) => contractOf(path, symbol, `contracts[${index}]`)),
    collaterals: collateralsOf(ASSETS, list),
  };
}

function contractOf(path: string, symbol: string, place: string): Contract {
  const contract = CONTRACTS.find((one) => one.symbol === symbol);
  if (contract === undefined)
    throw wrong(path, place, `is no contract of this program: name ${CONTRACTS.map((one) => one.symbol).join(', ')}`);
  return contract;
}

/** Those of the vault, and the file's in place of them. */
function capsOf(path: string, given: NonNullable<InstallationFile['withdrawalCaps']>): readonly WithdrawalCaps[] {
  const own = Object.entries(given).map(([code, caps]): WithdrawalCaps => {
    const place = `withdrawalCaps.${code}`;
    const asset = ASSETS.find((one) => one.code === code && one.kind === 'chain');
    if (asset === undefined) throw wrong(path, place, `is no coin of the vault: name ${VAULT_COINS}`);
    const [hourly, daily] = (['hourly', 'daily'] as const).map((field) => {
      const amount = parseAtoms(caps[field], asset.decimals);
      if (amount === undefined) throw wrong(path, `${place}.${field}`, `must be a decimal with at most ${asset.decimals} decimals`);
      return amount;
    });
    if (hourly === undefined || daily === undefined) throw wrong(path, place, 'must have hourly and daily');
    const invalid = invalidCapsField({ hourly, daily });
    if (invalid !== undefined) throw wrong(path, `${place}.${invalid}`, invalid === 'hourly' ? 'must be at most daily' : 'is too large');
    return { asset: asset.asset, hourly, daily };
  });
  return VAULT_CAPS.map((usual) => own.find(({ asset }) => asset === usual.asset) ?? usual);
}

const VAULT_COINS = ASSETS.filter(({ kind }) => kind === 'chain')
  .map(({ code }) => code)
  .join(', ');

/** The terms of the file, over those that the program has for this symbol, over the usual ones. */
function planOf(
  terms: Static<typeof MarketTerms>,
  common: Partial<Pick<MarketPlan, 'makerFeePpm' | 'takerFeePpm'>>,
  missing: (field: string) => StartError,
): MarketPlan {
  const known = MARKET_PLANS.find(({ symbol }) => symbol === terms.symbol);
  const merged = { ...USUAL_TERMS, ...known, ...common, ...terms };
  const need = <Value>(field: string, value: Value | undefined): Value => {
    if (value === undefined) throw missing(field);
    return value;
  };
  return {
    ...merged,
    market: need('market', merged.market),
    pricePrecision: need('pricePrecision', merged.pricePrecision),
    sizePrecision: need('sizePrecision', merged.sizePrecision),
    maxPrice: need('maxPrice', merged.maxPrice),
    maxSize: need('maxSize', merged.maxSize),
    maxNotional: need('maxNotional', merged.maxNotional),
  };
}

function otherChains(path: string, { chains }: InstallationFile): readonly Chain[] {
  const own = (chains ?? []).findIndex(({ chainId }) => chainId === CHAIN_ID);
  if (own >= 0) throw wrong(path, `chains[${own}].chainId`, `is the exchange's own, which is always offered: name the others only`);
  return chains ?? OTHER_CHAINS;
}
