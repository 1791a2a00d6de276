/** Where withdrawals may go beside the own wallet: the list, and what is said in the form about the address that is typed. */
import type { WithdrawAddress } from '@orrery/api';
import { Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { showAddress } from '../balances/address-problem.ts';
import { showDone } from '../../platform/client/success.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { shortHash } from '../../kit/format/hash.ts';
import { formatCountdown, formatSpan } from '../../kit/format/time.ts';
import { say, useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import type { Control } from '../../kit/ui/control.ts';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { statusOf } from './address-status.ts';
import type { AddressStatus } from './address-status.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import { mapped } from '../../kit/ui/loaded.ts';

const AddAddressDialog = lazyDialog(async () => (await import('./add-address-dialog.tsx')).AddAddressDialog);

const COUNTDOWN_MS = 1_000;

async function add(address: string, waitMs: number): Promise<void> {
  if ((await openDialog(AddAddressDialog, { address, waitMs })) !== true) return;
  showDone('add');
  await refresh('withdrawAddresses');
}

async function remove({ address, label }: WithdrawAddress): Promise<void> {
  const by = actor();
  const question = {
    title: say('addressBook.removeTitle'),
    lead: say('addressBook.removeLead', { label }),
    action: say('addressBook.remove'),
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  await act('removeWithdrawAddress', { body: { address } }, by);
  showDone('delete');
  await refresh('withdrawAddresses');
}

/** What the address that is typed is to a withdrawal; undefined until the book is read. */
export function useAddressStatus(to: string, own: string): AddressStatus | undefined {
  const now = useServerNow(COUNTDOWN_MS);
  const { value: book } = useData({ name: 'withdrawAddresses', of: 'account' });
  return book === undefined ? undefined : statusOf({ to, own, book: book.list, now });
}

/** Fills the address in by its label; nothing where the book is empty. */
export function AddressChoice({ value, onChange }: Control<string>): ReactElement | null {
  const text = useText();
  const { value: book } = useData({ name: 'withdrawAddresses', of: 'account' });
  if (book === undefined || book.list.length === 0) return null;
  const chosen = book.list.find(({ address }) => address === value.toLowerCase())?.address ?? '';
  const choices = [
    { value: '', label: text('addressBook.none') },
    ...book.list.map(({ address, label }) => ({ value: address, label: `${label} · ${shortHash(address)}` })),
  ];
  return (
    <SelectField
      label={text('addressBook.title')}
      value={chosen}
      choices={choices}
      onChange={(address) => onChange(address === '' ? '' : showAddress(address))}
    />
  );
}

/** Why the withdrawal can not be reviewed yet, and what to do about it; for everybody, where the money goes. */
export function AddressNotice({
  to,
  standing,
}: {
  readonly to: string;
  readonly standing: AddressStatus | undefined;
}): ReactElement | null {
  const text = useText();
  const { value: book } = useData({ name: 'withdrawAddresses', of: 'account' });
  if (standing === undefined || book === undefined) return null;
  if (standing.name === 'unknown')
    return (
      <Notice tone="warn">
        <p>{text('addressBook.unknown', { wait: formatSpan(book.waitMs) })}</p>
        <Button size="small" className="mt-2" onClick={() => void add(to, book.waitMs)}>
          {text('addressBook.add')}
        </Button>
      </Notice>
    );
  if (standing.name === 'waiting')
    return <Notice tone="warn">{text('addressBook.waiting', { left: formatCountdown(standing.leftMs) })}</Notice>;
  return standing.userId === null ? null : <Notice tone="info">{text('addressBook.internal', { userId: standing.userId })}</Notice>;
}

function AddressState({ entry }: { readonly entry: WithdrawAddress }): ReactElement {
  const text = useText();
  const now = useServerNow(COUNTDOWN_MS);
  const left = entry.usableTime - now;
  return left <= 0 ? (
    <StateTag tone="done">{text('addressBook.usable')}</StateTag>
  ) : (
    <StateTag tone="waiting">{text('addressBook.usableIn', { left: formatCountdown(left) })}</StateTag>
  );
}

function useColumns(): readonly Column<WithdrawAddress>[] {
  const text = useText();
  return [
    {
      id: 'label',
      header: text('addressBook.label'),
      cell: (row) => (
        <span className="flex flex-col py-1">
          <span className="font-medium">{row.label}</span>
          <Hash value={showAddress(row.address)} />
        </span>
      ),
    },
    { id: 'standing', header: text('assets.status'), cell: (row) => <AddressState entry={row} /> },
    {
      id: 'remove',
      header: <span className="sr-only">{text('addressBook.remove')}</span>,
      align: 'end',
      cell: (row) => (
        <IconButton
          label={`${text('addressBook.remove')} ${row.label}`}
          className="size-7"
          onClick={() => void remove(row).catch(() => refresh('withdrawAddresses'))}
        >
          <Trash2 size={15} />
        </IconButton>
      ),
    },
  ];
}

export function AddressBook(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const read = useData({ name: 'withdrawAddresses', of: 'account' });
  const { value: book } = read;
  return (
    <Section title={text('addressBook.title')}>
      <p className="border-b border-line px-4 py-3 text-sm text-fg2">
        {book === undefined ? '' : text('addressBook.lead', { wait: formatSpan(book.waitMs) })}
      </p>
      <Table
        label={text('addressBook.title')}
        columns={columns}
        read={mapped(read, ({ list }) => list)}
        keyOf={(row) => row.address}
        empty={text('addressBook.empty')}
      />
      <div className="border-t border-line px-4 py-3">
        <Button size="small" disabled={book === undefined} onClick={() => void add('', book?.waitMs ?? 0)}>
          {text('addressBook.add')}
        </Button>
      </div>
    </Section>
  );
}
