import { beforeEach, describe, expect, test, vi } from 'vitest';

const storage = new Map<string, string>();

function stubStorage(): void {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  });
}

/** The settings as a page finds them when it is opened. */
async function open() {
  vi.resetModules();
  return (await import('./settings.ts')).useSettings;
}

beforeEach(() => {
  storage.clear();
  stubStorage();
});

describe('[C5] settings', () => {
  test('[C5] what a newcomer has: dark, English, 1,234.56, green up, confirmations on', async () => {
    const settings = await open();
    expect(settings.getState()).toMatchObject({
      theme: 'dark',
      language: 'en',
      numberFormat: '1,234.56',
      direction: 'greenUpRedDown',
      unit: 'COIN',
      hideSmallBalances: false,
      hideAmounts: false,
      confirmAgain: true,
      confirmLimitOrders: true,
      confirmMarketOrders: true,
      confirmMovedLines: true,
    });
  });

  test('[C5, L15] what is chosen is there when the page is opened again, each under its own key', async () => {
    const { set } = (await open()).getState();
    set('theme', 'light');
    set('numberFormat', '1 234,56');
    set('direction', 'redUpGreenDown');
    set('hideSmallBalances', true);
    set('confirmMarketOrders', false);
    expect((await open()).getState()).toMatchObject({
      theme: 'light',
      numberFormat: '1 234,56',
      direction: 'redUpGreenDown',
      hideSmallBalances: true,
      hideAmounts: false,
      confirmMarketOrders: false,
      confirmLimitOrders: true,
    });
    expect([...storage.keys()].toSorted()).toEqual([
      'orrery.hideSmallBalances',
      'orrery.marketOrderEnabled',
      'orrery.numberFormatting',
      'orrery.theme',
      'orrery.upDownColours',
    ]);
  });

  test('[C5] the theme of the system is that of the computer, a chosen one is not', async () => {
    const { shownTheme } = await import('./settings.ts');
    expect([true, false].map((matches) => shownTheme('system', { matches }))).toEqual(['light', 'dark']);
    expect([true, false].map((matches) => shownTheme('dark', { matches }))).toEqual(['dark', 'dark']);
  });

  test('[F5] the unit of sizes is remembered for each kind of account', async () => {
    const settings = await open();
    settings.getState().setUnit('VALUE', 'uBased');
    expect(storage.get('orrery.unitUBased')).toBe('{"v":1,"value":"VALUE"}');
    expect(settings.getState()).toMatchObject({ unit: 'COIN', unitCoinBased: 'CONT', unitUBased: 'VALUE' });
  });

  test.each([
    ['COIN', 'COIN'],
    ['SHEET', 'COIN'],
    ['USDT', 'VALUE'],
    ['USD', 'VALUE'],
  ])(
    '[F5] %s of an earlier visit is %s; of a coin-margined contract it was shown as another unit, and is contracts again',
    async (before, now) => {
      for (const name of ['unit', 'unitUBased', 'unitCoinBased']) storage.set(`orrery.${name}`, JSON.stringify({ v: 1, value: before }));
      expect((await open()).getState()).toMatchObject({ unit: now, unitUBased: now, unitCoinBased: 'CONT' });
    },
  );

  test.each(['not json', '"dark"', '{"v":2,"value":"light"}', '{"v":1,"value":"purple"}', '{"v":1}', 'null'])(
    '[L15] what is not understood (%s) is read as the default',
    async (text) => {
      storage.set('orrery.theme', text);
      expect((await open()).getState().theme).toBe('dark');
    },
  );

  test('[L15] a browser that forbids storage has settings that last as long as the page', async () => {
    vi.stubGlobal('localStorage', undefined);
    const settings = await open();
    settings.getState().set('theme', 'light');
    expect(settings.getState().theme).toBe('light');
  });
});

test('what another tab chooses holds here at once, and what it writes under other names changes nothing', async () => {
  const settings = await open();
  const { followSettings } = await import('./settings.ts');
  const tabs = new EventTarget();
  followSettings(tabs);
  const writes = (key: string, value: unknown): void => {
    storage.set(key, JSON.stringify({ v: 1, value }));
    tabs.dispatchEvent(Object.assign(new Event('storage'), { key }));
  };
  let changes = 0;
  settings.subscribe(() => (changes += 1));
  writes('orrery.theme', 'light');
  expect(settings.getState().theme).toBe('light');
  writes('orrery.walletType', 'burner');
  expect(changes).toBe(1);
  storage.clear();
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: null }));
  expect(settings.getState().theme).toBe('dark');
});
