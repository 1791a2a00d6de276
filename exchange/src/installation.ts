/**
 * What one installation decides about itself beyond its settings: blocked addresses, markets with their fees and limits, caps of withdrawals, and
 * the chains that pages offer. A JSON file that ORRERY_CONFIG names; everything in it is optional.
 */
import { TEST_BLOCKED_ADDRESSES } from '@orrery/accounts';
import { AddressText, Chain, Decimal, Symbol } from '@orrery/api';
import { CHAIN_ID } from '@orrery/contracts';
import { type Static, Type } from 'typebox';
import type { Contract, WithdrawalCaps } from '@orrery/protocol';
import { invalidCapsField } from '@orrery/rules';
import { parseAtoms } from '@orrery/units';
import { collateralsOf, FIRST_CONTRACT } from './contract-plans.ts';
import { ASSETS, CONTRACTS, type Listing, MARKET_PLANS, type MarketPlan, marketOf, USUAL_TERMS, VAULT_CAPS } from './listing.ts';
import { readAll, readEach, StartError } from './start-error.ts';

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

/** USDC within 24 hours: with a wallet alone, with an authenticator app beside it, with a verified identity. */
const WITHDRAWAL_QUOTAS = ['1000', '10000', '100000'];

const Quota = Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,6})?$' });
const Caps = Type.Object({ hourly: Decimal, daily: Decimal }, closed);

/** What stands in the configuration file beside settings, with the meaning that docs/configuration.md gives. */
export const InstallationFile = Type.Object(
  {
    blockedAddresses: Type.Optional(
      Type.Array(AddressText, {
        description:
          'addresses that are refused everywhere. One that is taken off the list later stays blocked until an operator unblocks it. The nine test addresses without it',
      }),
    ),
    fees: Type.Optional(
      Type.Object({ makerPpm: Ppm, takerPpm: Ppm }, { ...closed, description: 'in ppm, of every market that names none of its own' }),
    ),
    markets: Type.Optional(
      Type.Array(MarketTerms, {
        minItems: 1,
        description:
          'all markets. The five of the program need their symbol only; another names its number (`market`, below 101, which never changes), its precisions and its limits. Prices, sizes and notionals are decimal strings, fees and bands ppm',
      }),
    ),
    contracts: Type.Optional(
      Type.Array(Symbol, {
        description: `the perpetual contracts to be listed, by symbol: ${CONTRACTS.map(({ symbol }) => symbol).join(', ')}; all of them without it. Their terms are the program's; a listed one never changes and is never removed. Practice contracts are not named here: \`ORRERY_SANDBOX\` lists them`,
      }),
    ),
    withdrawalCaps: Type.Optional(
      Type.Record(Type.String(), Caps, {
        description:
          'the most that all accounts together withdraw of a coin within any hour and any day, as decimal strings; a coin that is not named has the caps with which the vault is deployed. Caps above those of the vault hold money that the vault pays later, or refuse too late',
      }),
    ),
    withdrawalQuotas: Type.Optional(
      Type.Array(Quota, {
        minItems: 1,
        maxItems: 3,
        description: `the most that one account withdraws within any 24 hours, valued in USDC, by its security level from 1 on; the last one is also that of higher levels. ${WITHDRAWAL_QUOTAS.join(', ')} without it`,
      }),
    ),
    chains: Type.Optional(
      Type.Array(Type.Object(Chain.properties, closed), {
        description: 'offered by pages beside the chain on which trading happens',
      }),
    ),
  },
  closed,
);
export type InstallationFile = Static<typeof InstallationFile>;
export type InstallationPart = keyof InstallationFile;

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

/** @param path that of the file, for what is refused. @throws StartError with the places in the file and what is wrong there. */
export function installationOf(file: InstallationFile, path: string): Installation {
  return readAll({
    blockedAddresses: () => file.blockedAddresses ?? TEST_BLOCKED_ADDRESSES,
    listing: () => listingOf(path, file),
    withdrawalQuotas: () => file.withdrawalQuotas ?? WITHDRAWAL_QUOTAS,
    otherChains: () => otherChains(path, file),
  });
}

const wrong = (path: string, place: string, what: string): StartError => new StartError(`ORRERY_CONFIG: ${path}: ${place} ${what}`);

function listingOf(path: string, file: InstallationFile): Listing {
  const { markets, contracts, withdrawalCaps } = readAll({
    markets: () => marketsOf(path, file),
    contracts: () =>
      readEach(file.contracts ?? CONTRACTS.map(({ symbol }) => symbol), (symbol, index) => contractOf(path, symbol, `contracts[${index}]`)),
    withdrawalCaps: () => capsOf(path, file.withdrawalCaps ?? {}),
  });
  const isBinding = file.markets !== undefined || file.fees !== undefined;
  return { markets, isBinding, withdrawalCaps, practice: [], contracts, collaterals: collateralsOf(ASSETS, markets) };
}

function marketsOf(path: string, { markets, fees }: InstallationFile): Listing['markets'] {
  const wanted = markets ?? MARKET_PLANS.map(({ symbol }) => ({ symbol }));
  const common = fees === undefined ? {} : { makerFeePpm: fees.makerPpm, takerFeePpm: fees.takerPpm };
  const seen = new Set<string | number>();
  return readEach(wanted, (terms, index) => {
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
}

function contractOf(path: string, symbol: string, place: string): Contract {
  const contract = CONTRACTS.find((one) => one.symbol === symbol);
  if (contract === undefined)
    throw wrong(path, place, `is no contract of this program: name ${CONTRACTS.map((one) => one.symbol).join(', ')}`);
  return contract;
}

/** Those of the vault, and the file's in place of them. */
function capsOf(path: string, given: NonNullable<InstallationFile['withdrawalCaps']>): readonly WithdrawalCaps[] {
  const own = readEach(Object.entries(given), ([code, caps]): WithdrawalCaps => {
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
