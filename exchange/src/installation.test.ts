import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_BLOCKED_ADDRESSES } from '@orrery/accounts';
import { parseAtoms } from '@orrery/units';
import { afterAll, describe, expect, test } from 'vitest';
import { clientConfig } from './client-config.ts';
import { readConfig } from './config.ts';
import { readConfigurationFile } from './configuration-file.ts';
import { type Installation, installationOf } from './installation.ts';
import { StartError } from './start-error.ts';
import { MARKETS, registerListing, USUAL_LISTING, VAULT_CAPS } from './listing.ts';
import { MemoryHeart } from './testing/memory-heart.ts';

const folder = mkdtempSync(join(tmpdir(), 'orrery-installation-'));
const path = join(folder, 'orrery.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(file: unknown): Installation {
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  const { installation, refused } = readConfigurationFile(path);
  if (refused.size > 0) throw new StartError([...refused.values()]);
  return installationOf(installation, path);
}

const ADDRESS = `0x${'Ab'.repeat(20)}`;

describe('the configuration file', () => {
  test('without one the nine test addresses are blocked and the five markets are listed', () => {
    const { blockedAddresses, listing, withdrawalQuotas, otherChains } = installationOf({}, '');
    expect(blockedAddresses).toEqual(TEST_BLOCKED_ADDRESSES);
    expect(blockedAddresses).toHaveLength(9);
    expect(listing).toMatchObject({ markets: MARKETS, isBinding: false, withdrawalCaps: VAULT_CAPS });
    expect(listing).toEqual(USUAL_LISTING);
    expect(otherChains.map(({ name }) => name)).toEqual(['ValueChain', 'Ethereum']);
    expect(withdrawalQuotas).toEqual(['1000', '10000', '100000']);
    expect(read({})).toEqual({ blockedAddresses, listing, withdrawalQuotas, otherChains });
    expect(read({ withdrawalQuotas: ['50'] }).withdrawalQuotas).toEqual(['50']);
  });

  test('blocked addresses, fees, markets and chains are what it says, and pages get them', () => {
    const chain = {
      chainId: 5,
      name: 'Five',
      rpcUrls: ['https://five.example'],
      explorerUrl: null,
      nativeCurrency: { name: 'F', symbol: 'F', decimals: 18 },
    };
    read({
      blockedAddresses: [ADDRESS],
      fees: { makerPpm: 0, takerPpm: 250 },
      markets: [
        { symbol: 'ETH_USDC', makerFeePpm: 10, maxNotional: '1000.5' },
        { symbol: 'BTC_USDC' },
        {
          symbol: 'ETH_BTC',
          market: 6,
          pricePrecision: 4,
          sizePrecision: 3,
          maxPrice: '1',
          maxSize: '1000',
          maxNotional: '50',
          minNotional: '0.0001',
        },
      ],
      chains: [chain],
    });
    const config = readConfig({ ORRERY_CONFIG: path });
    const { markets, isBinding } = config.installation.listing;
    expect(isBinding).toBe(true);
    expect(markets.map(({ market, symbol, makerFeePpm, takerFeePpm }) => [market, symbol, makerFeePpm, takerFeePpm])).toEqual([
      [2, 'ETH_USDC', 10, 250],
      [1, 'BTC_USDC', 0, 250],
      [6, 'ETH_BTC', 0, 250],
    ]);
    expect(markets[0]?.maxNotional).toBe(parseAtoms('1000.5', 6));
    const { blockedAddresses, chains, defaultSymbol } = clientConfig(config, { cnyRate: config.cnyRate, port: 0 });
    expect({ blockedAddresses, defaultSymbol, chains: chains.map(({ name }) => name) }).toEqual({
      blockedAddresses: [ADDRESS],
      defaultSymbol: 'ETH_USDC',
      chains: ['Orrery Testnet', 'Five'],
    });
  });

  test.each<[unknown, string]>([
    [{ blockedAddresses: ['0x12'] }, 'blockedAddresses[0] must not have fewer than 42 characters'],
    [{ bloked: [] }, 'bloked is no setting: the nearest is blockedAddresses'],
    [{ markets: [{ symbol: 'BTC_USDC', fee: 1 }] }, 'markets[0] must not have the field fee'],
    [{ withdrawalQuotas: [] }, 'withdrawalQuotas must not have fewer than 1 items'],
    [{ markets: [{}] }, 'markets[0] must have required properties symbol'],
    [{ markets: [{ symbol: 'BTC_USDC', makerFeePpm: 0.5 }] }, 'markets[0].makerFeePpm must be integer'],
    [{ markets: [{ symbol: 'BTC_USDC', takerFeePpm: 200_000 }] }, 'markets[0].takerFeePpm must be within the limits of the engine'],
    [{ markets: [{ symbol: 'BTC_USDC', maxNotional: 4_000_000 }] }, 'markets[0].maxNotional must be string'],
    [{ markets: [{ symbol: 'BTC_USDC', maxNotional: '0.0000001' }] }, 'markets[0].maxNotional must be a decimal with at most 6 decimals'],
    [{ markets: [{ symbol: 'BTC_USDC', maxNotional: '1' }] }, 'markets[0].maxNotional must be within the limits of the engine'],
    [
      { markets: [{ symbol: 'BTC_USDC', sizePrecision: 6 }] },
      'markets[0].sizePrecision must leave one lot at one tick a whole number of atoms of the quote asset',
    ],
    [{ markets: [{ symbol: 'DOGE_USDC', market: 6 }] }, 'markets[0].pricePrecision is missing: DOGE_USDC has no defaults'],
    [
      { markets: [{ symbol: 'DOGE_USDC', market: 6, pricePrecision: 1, sizePrecision: 1, maxPrice: '1', maxSize: '1', maxNotional: '9' }] },
      'markets[0].symbol must be two of USDC, BTC, ETH, SOL, BNB, WSOSO, joined by _',
    ],
    [{ markets: [{ symbol: 'BTC_USDC' }, { symbol: 'BTC_USDC' }] }, 'markets[1].symbol is there twice: BTC_USDC'],
    [{ markets: [{ symbol: 'BTC_USDC' }, { symbol: 'ETH_USDC', market: 1 }] }, 'markets[1].market is there twice: 1'],
    [
      {
        chains: [{ chainId: 138_565, name: 'x', rpcUrls: [], explorerUrl: null, nativeCurrency: { name: 'x', symbol: 'x', decimals: 18 } }],
      },
      "chains[0].chainId is the exchange's own, which is always offered: name the others only",
    ],
    [
      { withdrawalCaps: { DOGE: { hourly: '1', daily: '1' } } },
      'withdrawalCaps.DOGE is no coin of the vault: name USDC, BTC, ETH, SOL, BNB, WSOSO',
    ],
    [{ withdrawalCaps: { POINTS: { hourly: '1', daily: '1' } } }, 'withdrawalCaps.POINTS is no coin of the vault'],
    [{ withdrawalCaps: { USDC: { hourly: '1' } } }, 'withdrawalCaps.USDC must have required properties daily'],
    [
      { withdrawalCaps: { USDC: { hourly: '0.0000001', daily: '1' } } },
      'withdrawalCaps.USDC.hourly must be a decimal with at most 6 decimals',
    ],
    [{ withdrawalCaps: { USDC: { hourly: '2', daily: '1' } } }, 'withdrawalCaps.USDC.hourly must be at most daily'],
    [[], 'the file must be object'],
  ])('%j is refused by its place in the file', (file, sentence) => {
    expect(() => read(file)).toThrow(`ORRERY_CONFIG: ${path}: ${sentence}`);
  });

  test('a file that is no JSON, or is not there, is named', () => {
    expect(() => read('{')).toThrow(new RegExp(`^ORRERY_CONFIG: ${path} is no JSON: `));
    const missing = join(folder, 'missing.json');
    expect(() => readConfig({ ORRERY_CONFIG: missing })).toThrow(`ORRERY_CONFIG names ${missing}, which can not be read: ENOENT`);
  });
});

describe('what is listed already', () => {
  const listed = async (): Promise<MemoryHeart> => {
    const heart = new MemoryHeart(() => 1_795_000_000_000);
    await registerListing(heart);
    return heart;
  };
  const all = MARKETS.map(({ symbol }) => ({ symbol }));

  test('gets the fees and order limits of the file, each change in a sentence, once', async () => {
    const heart = await listed();
    const { listing } = read({ markets: [{ symbol: 'BTC_USDC', takerFeePpm: 900, maxOpenOrders: 50 }, ...all.slice(1)] });
    expect(await registerListing(heart, listing)).toEqual([
      'BTC_USDC: takerFeePpm is now 900, and was 1000',
      'BTC_USDC: maxOpenOrders is now 50, and was 200',
    ]);
    const terms = heart.open().facts.find((fact) => fact.type === 'MarketRegistered');
    expect(terms).toMatchObject({ ...MARKETS[0], takerFeePpm: 900, maxOpenOrders: 50 });
    const before = heart.status().seq;
    expect(await registerListing(heart, listing)).toEqual([]);
    expect(await registerListing(heart)).toEqual([]);
    expect(heart.status().seq).toBe(before);
  });

  test('keeps what its orders hold by: other bands in the file are refused in one sentence, and nothing changes', async () => {
    const { listing } = read({ markets: [{ symbol: 'BTC_USDC', takerFeePpm: 900, marketBandPpm: 60_000 }, ...all.slice(1)] });
    const heart = await listed();
    const before = heart.status().seq;
    await expect(registerListing(heart, listing)).rejects.toThrow(
      'BTC_USDC is listed with marketBandPpm 50000, and ORRERY_CONFIG makes it 60000: it never changes of a listed market.',
    );
    expect(heart.status().seq).toBe(before);
  });

  test('stays: a market that is left out is refused in one sentence', async () => {
    const { listing } = read({ markets: all.slice(1) });
    await expect(registerListing(await listed(), listing)).rejects.toThrow(
      'BTC_USDC is listed and is not among the markets of ORRERY_CONFIG: a listed market can be halted, but not removed; put it back.',
    );
  });

  test('has the caps of the vault for withdrawals, and those of the file in their place, set only where they differ', async () => {
    const heart = await listed();
    const capsOf = () => heart.open().facts.filter((fact) => fact.type === 'WithdrawalCapsSet');
    expect(capsOf()).toEqual(VAULT_CAPS.map((caps) => ({ type: 'WithdrawalCapsSet', ...caps })));
    const before = heart.status().seq;
    const { listing } = read({ withdrawalCaps: { BTC: { hourly: '0.5', daily: '2' } } });
    await registerListing(heart, listing);
    expect(heart.status().seq).toBe(before + 1);
    const [, btc] = capsOf();
    expect(btc).toMatchObject({ hourly: 50_000_000n, daily: 200_000_000n });
    await registerListing(heart, listing);
    expect(heart.status().seq).toBe(before + 1);
    await registerListing(heart);
    expect(capsOf()).toEqual(VAULT_CAPS.map((caps) => ({ type: 'WithdrawalCapsSet', ...caps })));
  });

  test('a market of the file is added to it', async () => {
    const heart = await listed();
    const more = { symbol: 'ETH_BTC', market: 6, pricePrecision: 4, sizePrecision: 3, maxPrice: '1', maxSize: '1000', maxNotional: '50' };
    const { listing } = read({ markets: [...all, more] });
    await registerListing(heart, listing);
    await registerListing(heart, listing);
    const symbols = heart.open().facts.flatMap((fact) => (fact.type === 'MarketRegistered' ? [fact.symbol] : []));
    expect(symbols).toEqual([...MARKETS.map(({ symbol }) => symbol), 'ETH_BTC']);
  });
});
