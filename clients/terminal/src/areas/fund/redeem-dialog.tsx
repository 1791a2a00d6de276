/** Gives shares back. What they bring is not known before the valuation; the fee of what they are worth now is shown. */
import type { FundDetail, FundShare } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { addDecimals, divideDecimals, multiplyDecimals, subtractDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FieldIssue } from '../../kit/ui/use-form.ts';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { amountProblem } from '../balances/amount-problem.ts';
import { coinName } from '../balances/coin-name.ts';
import { Receipt } from './receipt.tsx';
import { SentRequest, useRequest } from './use-request.tsx';

const schema = Type.Object({ shares: Type.String() });
/** Of shares, and of the coin. */
const DECIMALS = 6;

export interface RedeemProps {
  readonly fund: FundDetail;
  readonly share: FundShare;
}

/** The part of the fee of all shares at the last NAV, in the coin. */
const feeOf = (shares: string, { share }: RedeemProps): string =>
  divideDecimals({ dividend: multiplyDecimals(share.fee, shares), divisor: share.shares, decimals: DECIMALS });

export function RedeemDialog({ fund, share, resolve, close }: RedeemProps & Dialogue<true>): ReactElement {
  const text = useText();
  const format = useFormat();
  const { fundId, name, coin } = fund;
  const free = subtractDecimals(share.shares, share.frozen);
  const once = useRequest('redeem', () => resolve(true));
  const problemOf = (values: Static<typeof schema>): FieldIssue | undefined =>
    amountProblem({ text: values.shares, decimals: DECIMALS, available: free, shown: format.own(free) });
  const form = useForm({
    schema,
    initial: { shares: '' },
    rules: (values) => ({ shares: problemOf(values) }),
    send: (values) => once.submit({ kind: 'redeem', fundId, amount: values.shares }),
  });
  const title = text('quanto.redeemFrom', { name });
  if (once.open !== undefined && once.phase === 'unanswered')
    return <SentRequest title={title} sent={once.open} once={once} onClose={close} />;
  const shares = form.field('shares');
  const isValid = problemOf({ shares: shares.value }) === undefined;
  const fee = feeOf(isValid ? shares.value : '0', { fund, share });
  return (
    <FormDialog form={form} close={close} width="narrow" title={title} action={text('quanto.redeem')}>
      <NumberField
        {...shares}
        label={text('quanto.shares')}
        hint={text('quanto.freeShares', { shares: format.own(free) })}
        aside={
          <button
            type="button"
            onClick={() => shares.onChange(free)}
            className="rounded-sm px-1 text-sm font-semibold text-fg2 hover:text-fg"
          >
            {text('ui.max')}
          </button>
        }
      />
      <Receipt
        fund={fund}
        rows={[
          {
            label: text('quanto.sharesFree'),
            before: format.own(free),
            after: isValid ? format.own(subtractDecimals(free, shares.value)) : undefined,
          },
          {
            label: text('quanto.waitingShares'),
            before: format.own(share.frozen),
            after: isValid ? format.own(addDecimals(share.frozen, shares.value)) : undefined,
          },
        ]}
      >
        <p>{text('quanto.priceUnknown')}</p>
        <p>
          {text('quanto.redeemFee', { fee: `${format.own(fee, { rounding: 'nearest' })} ${coinName(coin)}`, percent: fund.performanceFee })}
        </p>
        <p>{text('quanto.redeemTerms')}</p>
      </Receipt>
    </FormDialog>
  );
}
