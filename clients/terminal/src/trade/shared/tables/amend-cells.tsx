/** A field of an open order, edited in its row: Enter saves, Escape keeps it as it is. */
import type { KeyboardEvent, ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { NumberCell } from '../../../kit/ui/number-cell.tsx';
import { amendIssues } from './amend-rules.ts';
import type { AmendedOrder } from './amend-rules.ts';
import type { AmendField } from './amendment.ts';
import type { Amending } from './use-amending.ts';

export interface AmendCellProps {
  readonly amending: Amending;
  readonly field: AmendField;
  /** By which it is judged; nothing is, while its market is not known. */
  readonly order: AmendedOrder | undefined;
  /** The first field of the row takes the focus. */
  readonly isFirst: boolean;
}

const names = { price: 'trade.price', trigger: 'trade.ticket.trigger', size: 'trade.size' } as const satisfies Record<
  AmendField,
  MessageId
>;

export function AmendCell({ amending, field, order, isFirst }: AmendCellProps): ReactElement {
  const text = useText();
  const { amendment } = amending;
  const issue = amendment && order && amendIssues(amendment, order)[field];
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') amending.save(event.currentTarget.closest('tr'));
    else if (event.key === 'Escape') amending.stop();
  };
  return (
    <NumberCell
      autoFocus={isFirst}
      label={text(names[field])}
      value={amendment?.typed[field] ?? ''}
      readOnly={amending.phase !== 'editing'}
      error={issue && text(issue.message, issue.values)}
      onChange={(typed) => amending.change(field, typed)}
      onKeyDown={press}
    />
  );
}
