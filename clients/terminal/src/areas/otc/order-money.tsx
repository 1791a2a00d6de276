/** What is paid, where to, and in whose name: each with a way to copy it. */
import type { OtcOrderDetail, OtcPaymentMethod } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { isOpen } from './order-standing.ts';
import { useOtcWords } from './use-otc.ts';

function Copied({ value, children }: { readonly value: string; readonly children: ReactNode }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1">
      {children}
      <CopyButton value={value} />
    </span>
  );
}

function Method({ method: { kind, bank, name, number, masked } }: { readonly method: OtcPaymentMethod }): ReactElement {
  const text = useText();
  const shown = (value: string): ReactNode => (masked ? value : <Copied value={value}>{value}</Copied>);
  return (
    <div className="border-t border-line">
      <p className="px-4 pt-2.5 font-semibold">{[text(`otcName.kind.${kind}`), bank ?? ''].filter((part) => part !== '').join(' · ')}</p>
      <Facts>
        <Fact term={text('otc.page.holder')}>{shown(name)}</Fact>
        <Fact term={text('otc.page.number')}>
          <span className="font-mono text-md">{shown(number)}</span>
        </Fact>
      </Facts>
    </div>
  );
}

export function OrderMoney({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const { side, total, currency, amount, coin, paymentMethods, payerName, status } = order;
  const isBuyer = side === 'BUY';
  return (
    <Section title={text(!isOpen(order) ? 'otc.page.payment' : isBuyer ? 'otc.page.payTo' : 'otc.page.paidTo')}>
      <Facts>
        <Fact term={text(`otc.takeTotal.${side}`)}>
          <span className="text-lg font-semibold">
            <Copied value={total}>{words.money(total, currency)}</Copied>
          </span>
        </Fact>
        <Fact term={text(`otc.takeAmount.${side}`)}>
          <span className="text-lg font-semibold">{words.exact(amount, coin)}</span>
        </Fact>
        {payerName !== null && <Fact term={text('otc.page.payer')}>{payerName}</Fact>}
      </Facts>
      {paymentMethods.map((method) => (
        <Method key={method.paymentMethodId} method={method} />
      ))}
      {(status === 'CREATED' || status === 'PAID') && (
        <div className="border-t border-line p-4">
          <Notice tone="warn">{text(isBuyer ? 'otc.page.payHint' : 'otc.page.checkHint')}</Notice>
        </div>
      )}
      {!isOpen(order) && <p className="border-t border-line px-4 py-2 text-sm text-fg3">{text('otc.page.payMasked')}</p>}
    </Section>
  );
}
