/** What a person may choose about the terminal, remembered on this device. */
import { create } from 'zustand';
import { currencies } from '../format/fiat.ts';
import { numberFormats } from '../format/number-format.ts';
import { timeZones } from '../format/time.ts';
import { activateLanguage, isLanguage } from '../i18n/catalog.ts';
import type { Language } from '../i18n/catalog.ts';
import { followOtherTabs } from '../storage/other-tabs.ts';
import type { StorageEvents } from '../storage/other-tabs.ts';
import { parseBoolean, parseChoice } from '../storage/parse.ts';
import { stored } from '../storage/stored.ts';
import type { Stored } from '../storage/stored.ts';

/** `system` is what the computer is set to, also when that changes. */
export const themes = ['dark', 'light', 'system'] as const;
export const directions = ['greenUpRedDown', 'redUpGreenDown'] as const;
export const palettes = ['standard', 'colourBlind'] as const;
export const densities = ['standard', 'compact', 'touch'] as const;
/** How often book and tape change on the screen. */
export const paces = ['live', 'calm'] as const;
/** Of sizes: contracts, the coin that is traded, what it is paid in. */
const units = ['CONT', 'COIN', 'VALUE'] as const;
type Unit = (typeof units)[number];
/** Contracts are settled in a coin or in USDC, and a person may count the two in different units. */
export type AccountKind = 'coinBased' | 'uBased';

function choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Stored<Choice> {
  return stored({ name, version: 1, fallback, parse: parseChoice<Choice>(choices) });
}

/** A device may remember a unit by its name on the wire: a sheet of a linear contract is its coin. */
const parseUnit = (json: unknown): Unit | undefined => {
  if (json === 'USD' || json === 'USDT') return 'VALUE';
  return json === 'SHEET' ? 'COIN' : parseChoice(units)(json);
};

const unit = (name: string): Stored<Unit> => stored({ name, version: 1, fallback: 'COIN', parse: parseUnit });

const flag = (name: string, fallback: boolean): Stored<boolean> => stored({ name, version: 1, fallback, parse: parseBoolean });

const remembered = {
  theme: choice('theme', themes, 'dark'),
  numberFormat: choice('numberFormatting', numberFormats, '1,234.56'),
  language: stored<Language>({
    name: 'language',
    version: 1,
    fallback: 'en',
    parse: (json) => (isLanguage(json) ? json : undefined),
  }),
  currency: choice('currency', currencies, 'usd'),
  timeZone: choice('timeZone', timeZones, 'local'),
  direction: choice('upDownColours', directions, 'greenUpRedDown'),
  palette: choice('palette', palettes, 'standard'),
  density: choice('density', densities, 'standard'),
  pace: choice('marketPace', paces, 'live'),
  unit: unit('unit'),
  // What the first version remembered was shown as another unit than it was read as.
  unitCoinBased: stored<Unit>({ name: 'unitCoinBased', version: 2, fallback: 'CONT', parse: parseChoice(units) }),
  unitUBased: unit('unitUBased'),
  hideSmallBalances: flag('hideSmallBalances', false),
  hideAmounts: flag('hideAmounts', false),
  confirmAgain: flag('confirmAgain', true),
  confirmLimitOrders: flag('limitOrderEnabled', true),
  confirmMarketOrders: flag('marketOrderEnabled', true),
  /** Whether screen readers read what moves by itself: the best prices every 10 seconds, and each new candle. */
  readMarket: flag('readMarket', false),
  /** Before a line that was dragged on the chart changes an order. */
  confirmMovedLines: flag('movedLineEnabled', true),
  /** Whether the use of the pages is measured: with cookies accepted. */
  analytics: flag('analytics', false),
  soundOfFill: flag('soundOfFill', false),
  soundOfAccepted: flag('soundOfAccepted', false),
  soundOfRejected: flag('soundOfRejected', false),
} as const;

type ValueOf<Kept> = Kept extends Stored<infer Value> ? Value : never;
export type Settings = { readonly [Name in keyof typeof remembered]: ValueOf<(typeof remembered)[Name]> };

interface SettingsStore extends Settings {
  readonly set: <Name extends keyof Settings>(name: Name, value: Settings[Name]) => void;
  /** @param kind for accounts of this kind alone; for all others without one. */
  readonly setUnit: (chosen: Unit, kind?: AccountKind) => void;
}

function readAll(): Settings {
  return Object.fromEntries(Object.entries(remembered).map(([name, one]) => [name, one.read()])) as unknown as Settings;
}

function kept<Name extends keyof Settings>(name: Name): Stored<Settings[Name]> {
  const table: { readonly [Key in keyof Settings]: Stored<Settings[Key]> } = remembered;
  return table[name];
}

const UNIT_OF = { coinBased: 'unitCoinBased', uBased: 'unitUBased', other: 'unit' } as const satisfies Record<
  AccountKind | 'other',
  keyof Settings
>;

export const useSettings = create<SettingsStore>()((change, get) => ({
  ...readAll(),
  set(name, value) {
    kept(name).write(value);
    change({ [name]: value });
  },
  setUnit: (chosen, kind) => get().set(UNIT_OF[kind ?? 'other'], chosen),
}));

export const shownTheme = (theme: Settings['theme'], light: Pick<MediaQueryList, 'matches'>): 'dark' | 'light' =>
  theme === 'system' ? (light.matches ? 'light' : 'dark') : theme;

/** What is chosen in one tab holds in all of them at once. */
export function followSettings(events?: StorageEvents): void {
  followOtherTabs(Object.values(remembered), () => useSettings.setState(readAll()), events);
}

/** Puts the choices that style the page on its root element, now and at every change. */
export function applySettings(root: HTMLElement): void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const apply = (settings: Settings): void => {
    root.dataset['theme'] = shownTheme(settings.theme, light);
    root.dataset['direction'] = settings.direction;
    root.dataset['palette'] = settings.palette;
    root.dataset['density'] = settings.density;
    root.lang = settings.language;
    activateLanguage(settings.language);
  };
  apply(useSettings.getState());
  useSettings.subscribe(apply);
  light.addEventListener('change', () => apply(useSettings.getState()));
}
