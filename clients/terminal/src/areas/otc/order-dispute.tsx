/** A dispute as both sides see it: the decision, and what each has said. */
import type { OtcOrderDetail } from '@orrery/api';
import type { ReactElement } from 'react';
import { formatCountdown } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { ReceiptPreview } from './receipt-preview.tsx';

const SECOND_MS = 1_000;

type Decided = NonNullable<OtcOrderDetail['decision']>;

function Decision({ decision: { outcome, reason, at, executesAt, appealedBy } }: { readonly decision: Decided }): ReactElement {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(SECOND_MS);
  return (
    <Section title={text('otc.decision')}>
      <Facts>
        <Fact term={format.time(at)}>
          <span className="font-semibold">{text(`otcName.decision.${outcome}`)}</span>
        </Fact>
        <Fact term={text('otc.appeal.reason')}>
          <span className="break-words whitespace-pre-line">{reason}</span>
        </Fact>
        {appealedBy !== null && <Fact term={text('otc.act.appeal')}>{text('otc.decision.appealed', { by: appealedBy })}</Fact>}
        {appealedBy === null && executesAt !== null && executesAt > now && (
          <Fact term={text('otc.act.appeal')}>{text('otc.decision.left', { left: formatCountdown(executesAt - now) })}</Fact>
        )}
      </Facts>
    </Section>
  );
}

export function OrderDispute({ order: { decision, statements, side } }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const format = useFormat();
  const own = side === 'BUY' ? 'BUYER' : 'SELLER';
  return (
    <>
      {decision !== null && <Decision decision={decision} />}
      {statements.length > 0 && (
        <Section title={text('otc.statements')}>
          <ul aria-label={text('otc.statements')}>
            {statements.map(({ by, kind, reason, text: said, receiptIds, at }) => (
              <li key={`${by} ${at}`} className="flex flex-col gap-1 border-b border-line px-4 py-2.5 last:border-0">
                <p>
                  <span className="font-semibold">{by === own ? text('otc.you') : text(`otcName.actor.${by}`)}</span>{' '}
                  <span className="text-fg2">{text(`otc.statement.${kind}`)}</span>{' '}
                  <span className="text-sm text-fg3">{format.time(at)}</span>
                </p>
                {reason !== null && <p className="font-medium">{text(`otcName.reason.${reason}`)}</p>}
                <p className="break-words whitespace-pre-line text-fg2">{said}</p>
                {receiptIds.map((receiptId) => (
                  <ReceiptPreview key={receiptId} receiptId={receiptId} />
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
