/** The arrangement of the trading page as it was left, for each width of the window, on this device. */
import { create } from 'zustand';
import { followOtherTabs } from '../../../kit/storage/other-tabs.ts';
import { stored } from '../../../kit/storage/stored.ts';
import { arrangementOf, parseArrangement } from './arrangement.ts';
import type { Arrangement, WideLayoutName } from './arrangement.ts';

type Arrangements = Readonly<Partial<Record<WideLayoutName, Arrangement>>>;

const LAYOUTS = ['vast', 'grand', 'wide', 'medium', 'narrow'] as const satisfies readonly WideLayoutName[];

function parse(json: unknown): Arrangements | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const arrangements: Partial<Record<WideLayoutName, Arrangement>> = {};
  for (const layout of LAYOUTS) {
    const arrangement = layout in json ? parseArrangement((json as Readonly<Record<string, unknown>>)[layout]) : undefined;
    if (arrangement !== undefined) arrangements[layout] = arrangement;
  }
  return arrangements;
}

const remembered = stored<Arrangements>({ name: 'tradeLayouts', version: 1, fallback: {}, parse });

interface LayoutMemory {
  readonly arrangements: Arrangements;
  readonly arrange: (layout: WideLayoutName, arrangement: Arrangement) => void;
}

export const useLayoutMemory = create<LayoutMemory>()((change, now) => ({
  arrangements: remembered.read(),
  arrange(layout, arrangement) {
    const arrangements = { ...now().arrangements, [layout]: arrangement };
    remembered.write(arrangements);
    change({ arrangements });
  },
}));

/** Panels arranged in one tab stand so in the others at once. @returns stops following. */
export const followLayouts = (): (() => void) =>
  followOtherTabs([remembered], () => useLayoutMemory.setState({ arrangements: remembered.read() }));

export const arrangementFor = ({ arrangements }: Pick<LayoutMemory, 'arrangements'>, layout: WideLayoutName): Arrangement =>
  arrangements[layout] ?? arrangementOf('classic', layout);

const usual = Object.fromEntries(LAYOUTS.map((layout) => [layout, arrangementOf('classic', layout)])) as Readonly<
  Record<WideLayoutName, Arrangement>
>;

export const useArrangement = (layout: WideLayoutName): Arrangement =>
  useLayoutMemory(({ arrangements }) => arrangements[layout] ?? usual[layout]);
