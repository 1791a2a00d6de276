/** Which sides of the book are shown, and by what price step it is merged. */
import { printDecimal } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';
import { Select } from '../../../kit/ui/select.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { BOOK_VIEWS, chosenMerge, useTradeSettings } from '../trade-settings.ts';
import type { BookView } from '../trade-settings.ts';

const names: Readonly<Record<BookView, MessageId>> = { both: 'trade.book.both', bids: 'trade.book.bids', asks: 'trade.book.asks' };

function ViewIcon({ view }: { readonly view: BookView }): ReactElement {
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <path d="M2 2.5h10M2 5.5h10" strokeWidth="2" className={view === 'bids' ? 'stroke-strong' : 'stroke-down'} />
      <path d="M2 8.5h10M2 11.5h10" strokeWidth="2" className={view === 'asks' ? 'stroke-strong' : 'stroke-up'} />
    </svg>
  );
}

export function BookControls(): ReactElement {
  const market = useMarket();
  const text = useText();
  const { bookView, setBookView, depthMerge, setMerge } = useTradeSettings();
  const step = chosenMerge(depthMerge, market.symbol, market.merges);
  const choices = market.merges.map((merge) => ({ value: String(merge), label: printDecimal(BigInt(merge), market.pricePrecision) }));
  return (
    <>
      <RadioGroup
        label={text('trade.book.view')}
        value={bookView}
        choices={BOOK_VIEWS.map((view) => ({ value: view, label: <ViewIcon view={view} />, name: text(names[view]) }))}
        onChange={setBookView}
        className="flex"
        itemClassName={(_view, state) =>
          classes('flex size-6 items-center justify-center rounded-sm hover:bg-hover', state === 'chosen' ? 'bg-raised' : 'opacity-60')
        }
      />
      <Select
        label={text('trade.book.merge')}
        size="small"
        value={String(step)}
        choices={choices}
        onChange={(value) => setMerge(market.symbol, Number(value))}
        className="[&>select]:h-6 [&>select]:border-0 [&>select]:bg-transparent [&>select]:ps-1 [&>select]:pe-5 [&>svg]:inset-e-0.5"
      />
    </>
  );
}
