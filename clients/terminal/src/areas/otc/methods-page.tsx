/** `/otc/payment-methods`: where the person is paid, and how the person pays. */
import { OTC_METHODS_MAX } from '@orrery/api';
import type { OtcPaymentMethod } from '@orrery/api';
import { Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { say, useText } from '../../kit/i18n/text.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { addMethod, useOwnMethods } from './method-choice.tsx';
import { OtcNav } from './otc-nav.tsx';

async function remove({ paymentMethodId, kind, number }: OtcPaymentMethod): Promise<void> {
  const by = actor();
  const question = {
    title: say('otc.method.removeTitle'),
    lead: say('otc.method.removeLead', { kind: say(`otcName.kind.${kind}`), number }),
    action: say('otc.method.remove'),
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  await act('removeOtcPaymentMethod', { body: { paymentMethodId } }, by);
  showSuccess('otc.method.removed');
  await refresh('otcPaymentMethods');
}

function useColumns(): readonly Column<OtcPaymentMethod>[] {
  const text = useText();
  return [
    {
      id: 'kind',
      header: text('otc.kind'),
      cell: ({ kind, bank }) => (
        <span className="flex flex-col py-1">
          <span className="font-medium">{text(`otcName.kind.${kind}`)}</span>
          {bank !== null && <span className="text-fg3">{bank}</span>}
        </span>
      ),
    },
    {
      id: 'number',
      header: text('otc.method.number'),
      cell: ({ number, name }) => (
        <span className="flex flex-col py-1">
          <span className="font-mono">{number}</span>
          <span className="whitespace-normal text-fg3">{name}</span>
        </span>
      ),
    },
    {
      id: 'remove',
      header: <span className="sr-only">{text('otc.method.remove')}</span>,
      align: 'end',
      cell: (row) => (
        <IconButton
          label={`${text('otc.method.remove')} ${row.number}`}
          className="size-7"
          onClick={() => void remove(row).catch(() => refresh('otcPaymentMethods'))}
        >
          <Trash2 size={15} />
        </IconButton>
      ),
    },
  ];
}

function Methods(): ReactElement {
  const text = useText();
  const read = useOwnMethods();
  const isFull = (read.value?.length ?? 0) >= OTC_METHODS_MAX;
  return (
    <Section
      title={text('otc.method.list')}
      aside={
        <Button size="small" disabled={read.value === undefined || isFull} onClick={() => void addMethod()}>
          {text('otc.addMethod')}
        </Button>
      }
    >
      {isFull && <p className="border-b border-line px-4 py-2 text-sm text-fg2">{text('otc.method.most')}</p>}
      <Table
        label={text('otc.method.list')}
        columns={useColumns()}
        read={read}
        keyOf={(row) => row.paymentMethodId}
        empty={text('otc.method.empty')}
        skeletonRows={2}
      />
    </Section>
  );
}

export function MethodsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('otc.methods')} lead={text('otc.method.lead')}>
      <OtcNav />
      <SignedInOnly invitation="otc.connect">
        <Methods />
      </SignedInOnly>
    </Page>
  );
}
