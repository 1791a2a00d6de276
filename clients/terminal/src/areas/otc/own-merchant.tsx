/** The person's own way to be a merchant: an application, a deposit to fill up, a way out. */
import type { OtcInfo, OtcMerchantInfo } from '@orrery/api';
import type { ReactElement } from 'react';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { say, useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { together } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { usePending } from '../../platform/data/use-pending.ts';
import { coinName } from '../balances/coin-name.ts';
import { requireTerms } from '../onboarding/actions.ts';
import { useOtcNews } from './follow-otc.ts';
import { useOtcInfo, useOtcWords, useOwnTrader } from './use-otc.ts';

const ApplyDialog = lazyDialog(async () => (await import('./apply-dialog.tsx')).ApplyDialog);

const FillUpDialog = lazyDialog(async () => (await import('./fill-up-dialog.tsx')).FillUpDialog);

const tones = { NONE: 'neutral', WAITING: 'waiting', APPROVED: 'done', REFUSED: 'failed', LEFT: 'neutral' } as const;

async function apply({ merchantDeposit, depositCoin }: OtcInfo): Promise<void> {
  if (!(await requireTerms()) || (await openDialog(ApplyDialog, { merchantDeposit, depositCoin })) !== true) return;
  showSuccess('otc.merchant.applied');
  await refresh('ownOtcMerchant', 'balances');
}

async function fillUp({ deposit }: OtcMerchantInfo, { merchantDeposit, depositCoin }: OtcInfo): Promise<void> {
  if ((await openDialog(FillUpDialog, { deposit, merchantDeposit, depositCoin })) !== true) return;
  showSuccess('otc.merchant.filledUp');
  await refresh('ownOtcMerchant', 'balances');
}

async function leave({ deposit, depositCoin, state }: OtcMerchantInfo): Promise<void> {
  const by = actor();
  const isWaiting = state === 'WAITING';
  const question = {
    title: say(isWaiting ? 'otc.merchant.takeBack' : 'otc.merchant.leaveTitle'),
    lead: say(isWaiting ? 'otc.merchant.takeBackLead' : 'otc.merchant.leaveLead', { deposit, coin: coinName(depositCoin) }),
    action: say(isWaiting ? 'otc.merchant.takeBack' : 'otc.merchant.leave'),
    keep: say('otc.merchant.stay'),
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  await act('leaveOtcMerchants', { body: {} }, by);
  showSuccess('otc.merchant.left');
  await refresh('ownOtcMerchant', 'otcMerchants', 'balances');
}

function Standing({ own, info }: { readonly own: OtcMerchantInfo; readonly info: OtcInfo }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useOtcWords();
  const { pending, begin } = usePending(leave);
  const { state, deposit, depositCoin, since, answer, traderId } = own;
  const isShort = state === 'APPROVED' && depositCoin === info.depositCoin && compareDecimals(deposit, info.merchantDeposit) < 0;
  const isIn = state === 'WAITING' || state === 'APPROVED';
  return (
    <>
      <Facts>
        <Fact term={text('otc.ad.state')}>
          <StateTag tone={tones[state]}>{text(`otc.merchant.state.${state}`)}</StateTag>
        </Fact>
        {answer !== null && <Fact term={text('otc.appeal.reason')}>{answer}</Fact>}
        {isIn && <Fact term={text('otc.merchant.deposit')}>{words.exact(deposit, depositCoin)}</Fact>}
        {since !== null && <Fact term={text('otc.merchant.since')}>{format.time(since)}</Fact>}
      </Facts>
      <div className="flex flex-wrap gap-2 border-t border-line p-4">
        {isShort && (
          <Button kind="primary" onClick={() => void fillUp(own, info)}>
            {text('otc.merchant.fillUp')}
          </Button>
        )}
        {isIn ? (
          <Button busy={pending !== undefined} onClick={() => begin(own)}>
            {text(state === 'WAITING' ? 'otc.merchant.takeBack' : 'otc.merchant.leave')}
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void apply(info)}>
            {text('otc.merchant.apply')}
          </Button>
        )}
        <LinkButton to="/otc/trader/$traderId" params={{ traderId }}>
          {text('otc.merchant.page')}
        </LinkButton>
      </div>
    </>
  );
}

export function OwnMerchant(): ReactElement {
  const text = useText();
  useOtcNews();
  const read = together(useOwnTrader(), useOtcInfo());
  return (
    <Section title={text('otc.merchant.yours')}>
      <LoadedPanel read={read} loading={<Skeleton className="m-4 w-72" />}>
        {([own, info]) => <Standing own={own} info={info} />}
      </LoadedPanel>
    </Section>
  );
}
