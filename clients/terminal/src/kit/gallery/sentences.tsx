/** Every sentence that a refusal of the exchange, or a rule of a form, is said in. */
import type { ReactElement } from 'react';
import { refusals } from '../i18n/messages/en/refusals.ts';
import { trade } from '../i18n/messages/en/trade.ts';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { Specimen } from './specimen.tsx';

const NAMES = 'refusal.field.';
const ISSUES = 'trade.issue.';

const SENTENCES = [...Object.keys(refusals), ...Object.keys(trade).filter((id) => id.startsWith(ISSUES))].filter(
  (id) => !id.startsWith(NAMES),
) as readonly MessageId[];

export function Sentences(): ReactElement {
  const text = useText();
  const values = {
    field: text('refusal.field.size'),
    price: '60,000',
    rate: '10%',
    value: '5',
    size: '0.02',
    amount: '12.50',
    coin: 'BTC',
    most: 40,
    asked: '0.062 BTC',
    limit: '0.05 BTC',
    short: '0.012 BTC',
    decimals: 1,
  };
  return (
    <Specimen title="gallery.sentences">
      <ul className="grid gap-x-6 gap-y-1 text-sm tablet:grid-cols-2 laptop:grid-cols-3">
        {SENTENCES.map((id) => (
          <li key={id}>{text(id, values)}</li>
        ))}
      </ul>
    </Specimen>
  );
}
