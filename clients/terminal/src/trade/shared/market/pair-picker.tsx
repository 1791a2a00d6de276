/** Chooses the market. */
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { shownPair } from '../../../market/market.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Popover } from '../../../kit/ui/popover.tsx';
import { Spinner } from '../../../kit/ui/spinner.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { useMarket } from '../../../market/market-context.tsx';

const PairList = lazyPart(async () => (await import('./pair-list.tsx')).PairList);

export function PairPicker(): ReactElement {
  const text = useText();
  const market = useMarket();
  const [isOpen, setOpen] = useState(false);
  const trigger = (
    <button
      type="button"
      aria-label={`${shownPair(market.symbol)}: ${text('trade.market.pick')}`}
      className="flex h-9 shrink-0 items-center gap-1.5 rounded px-1.5 text-lg font-semibold hover:bg-hover"
    >
      {shownPair(market.symbol)}
      <ChevronDown size={15} aria-hidden="true" className="text-fg3" />
    </button>
  );
  return (
    <Popover trigger={trigger} label={text('trade.market.pick')} open={isOpen} onOpenChange={setOpen}>
      <Panel loading={<Spinner className="m-8" />}>
        <PairList onDone={() => setOpen(false)} />
      </Panel>
    </Popover>
  );
}
