/** All indicators, found by their short or their long name, and switched on and off. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { useChartSettings } from './chart-settings.ts';
import { hasRoom, INDICATORS, isOverCandles, OVERLAYS_MAX, PANES_MAX, toggled } from './indicators.ts';
import type { Indicator } from './indicators.ts';

const KINDS = [
  { label: 'chart.indicators.over', most: OVERLAYS_MAX, isOfKind: isOverCandles },
  { label: 'chart.indicators.panes', most: PANES_MAX, isOfKind: (name: Indicator) => !isOverCandles(name) },
] as const;

function IndicatorRow({ name, onFull }: { readonly name: Indicator; readonly onFull: (name: Indicator) => void }): ReactElement {
  const text = useText();
  const { indicators, set } = useChartSettings();
  const isOn = indicators.includes(name);
  const change = (): void => (isOn || hasRoom(indicators, name) ? set({ indicators: toggled(indicators, name) }) : onFull(name));
  return (
    <li className="flex min-h-8 items-center rounded-sm px-2 hover:bg-hover">
      <Checkbox value={isOn} onChange={change}>
        <span className="inline-block w-14 font-medium">{name}</span>
        <span className="text-fg2">{text(`chart.name.${name}`)}</span>
      </Checkbox>
    </li>
  );
}

export function IndicatorList(): ReactElement {
  const text = useText();
  const [search, setSearch] = useState('');
  const [full, setFull] = useState<Indicator>();
  const hasVolumeOn = useChartSettings(({ indicators }) => indicators.includes('VOL'));
  const wanted = search.trim().toLowerCase();
  const shown = INDICATORS.filter((name) => `${name} ${text(`chart.name.${name}`)}`.toLowerCase().includes(wanted));
  return (
    <div className="flex w-[min(340px,92vw)] flex-col gap-2 p-2">
      <label className="flex h-9 items-center gap-2 rounded border border-control bg-page px-2.5 focus-within:outline-2 focus-within:outline-focus">
        <Search size={14} aria-hidden="true" className="text-fg3" />
        <input
          type="search"
          autoFocus
          aria-label={text('chart.indicators.search')}
          placeholder={text('chart.indicators.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="min-w-0 grow bg-transparent outline-none placeholder:text-fg3"
        />
      </label>
      <div className="flex max-h-[min(420px,60dvh)] flex-col gap-2 overflow-y-auto">
        {KINDS.map(({ label, most, isOfKind }) => {
          const names = shown.filter(isOfKind);
          if (names.length === 0) return null;
          return (
            <section key={label} aria-label={text(label)}>
              <h3 className="px-2 py-1 text-sm text-fg3">{text(label)}</h3>
              {full !== undefined && isOfKind(full) && (
                <p role="status" className="px-2 pb-1 text-sm text-warn">
                  {text('chart.indicators.full', { count: most })}
                </p>
              )}
              <ul>
                {names.map((name) => (
                  <IndicatorRow key={name} name={name} onFull={setFull} />
                ))}
              </ul>
            </section>
          );
        })}
        {shown.length === 0 && <p className="px-2 py-6 text-center text-fg2">{text('chart.indicators.none', { search })}</p>}
      </div>
      {hasVolumeOn && <p className="px-2 text-sm text-fg3">VOL: {text('chart.indicators.volumeWaits')}</p>}
    </div>
  );
}
