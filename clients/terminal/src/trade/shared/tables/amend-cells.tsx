/** A field of an open order, edited in its row: Enter saves, Escape keeps it as it is. */
import type { KeyboardEvent, ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { NumberCell } from '../../../kit/ui/number-cell.tsx';
import type { AmendField } from './amendment.ts';
import type { Amending } from './use-amending.ts';

export interface AmendCellProps {
  readonly amending: Amending;
  readonly field: AmendField;
  /** The first field of the row takes the focus. */
  readonly isFirst: boolean;
}

const names = { price: 'trade.price', trigger: 'trade.ticket.trigger', size: 'trade.size' } as const satisfies Record<
  AmendField,
  MessageId
>;

export function AmendCell({ amending, field, isFirst }: AmendCellProps): ReactElement {
  const text = useText();
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') amending.save();
    else if (event.key === 'Escape') amending.stop();
  };
  return (
    <NumberCell
      autoFocus={isFirst}
      label={text(names[field])}
      value={amending.amendment?.typed[field] ?? ''}
      disabled={amending.phase !== 'editing'}
      onChange={(typed) => amending.change(field, typed)}
      onKeyDown={press}
    />
  );
}
