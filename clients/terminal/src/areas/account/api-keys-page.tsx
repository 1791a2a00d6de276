import type { ApiKey } from '@orrery/api';
import { Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { showDone } from '../../platform/client/success.ts';
import { say, Text, useText } from '../../kit/i18n/text.tsx';
import { requireTerms } from '../onboarding/actions.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import type { AccountInfo } from './owner-proof.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import { mapped } from '../../kit/ui/loaded.ts';

const CreateKeyDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).CreateKeyDialog);
const SecretDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).SecretDialog);

const readAgain = (): Promise<void> => refresh('apiKeys');

/** The terms are for wallets: an account without one has keys that read. */
async function create(account: AccountInfo): Promise<void> {
  if (account.authType === 'WALLET' && !(await requireTerms())) return;
  const made = await openDialog(CreateKeyDialog, { account });
  if (made === undefined) return;
  await readAgain();
  await openDialog(SecretDialog, { made });
}

async function remove(key: ApiKey): Promise<void> {
  const by = actor();
  const { label } = key;
  const question = { title: say('apiKeys.deleteTitle'), lead: say('apiKeys.deleteLead', { label }), action: say('apiKeys.delete') };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  await act('deleteApiKey', { body: { accessKey: key.accessKey } }, by);
  showDone('delete');
  await readAgain();
}

async function setEnabled(key: ApiKey, enabled: boolean): Promise<void> {
  await act('setApiKeyStatus', { body: { accessKey: key.accessKey, enabled } }, actor());
  showDone('modified');
  await readAgain();
}

function useColumns(): readonly Column<ApiKey>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'label', header: text('apiKeys.label'), cell: (row) => <span className="font-medium">{row.label}</span> },
    { id: 'key', header: text('apiKeys.accessKey'), wideOnly: true, cell: (row) => <Hash value={row.accessKey} /> },
    {
      id: 'permission',
      header: text('apiKeys.permission'),
      cell: (row) => (
        <span className="flex flex-col">
          <span>{text(`apiKeys.permission.${row.permission}`)}</span>
          {row.moneyRights.map((right) => (
            <span key={right} className="text-sm text-fg2">
              {text(`apiKeys.money.${right}`)}
            </span>
          ))}
          {row.publicKey !== null && <span className="text-sm text-fg2">{text('apiKeys.ed25519')}</span>}
          {row.permission === 'TRADE' && row.legacySigning && <span className="text-sm text-fg2">{text('apiKeys.legacy')}</span>}
        </span>
      ),
    },
    {
      id: 'ips',
      header: text('apiKeys.ips'),
      wideOnly: true,
      cell: (row) => (row.ipList.length === 0 ? text('apiKeys.anyIp') : row.ipList.join(' ')),
    },
    { id: 'created', header: text('apiKeys.created'), wideOnly: true, cell: (row) => format.time(row.createdTime) },
    {
      id: 'used',
      header: text('apiKeys.lastUsed'),
      wideOnly: true,
      cell: (row) => (row.lastUsedTime === null ? text('apiKeys.never') : format.time(row.lastUsedTime)),
    },
    {
      id: 'ends',
      header: text('apiKeys.ends'),
      wideOnly: true,
      cell: (row) => (row.endTime === null ? text('apiKeys.endsNever') : format.time(row.endTime)),
    },
    {
      id: 'enabled',
      header: text('apiKeys.enabled'),
      cell: (row) => (
        <Switch
          label={text('apiKeys.enable', { label: row.label })}
          value={row.enabled}
          onChange={(enabled) => void setEnabled(row, enabled).catch(readAgain)}
        />
      ),
    },
    {
      id: 'delete',
      header: <span className="sr-only">{text('apiKeys.delete')}</span>,
      align: 'end',
      cell: (row) => (
        <IconButton label={`${text('apiKeys.delete')} ${row.label}`} className="size-7" onClick={() => void remove(row).catch(readAgain)}>
          <Trash2 size={15} />
        </IconButton>
      ),
    },
  ];
}

function KeyTable(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const read = useData({ name: 'apiKeys', of: 'account' });
  return (
    <Table
      label={text('apiKeys.title')}
      columns={columns}
      read={mapped(read, ({ list }) => list)}
      keyOf={(row) => row.accessKey}
      empty={text('apiKeys.empty')}
    />
  );
}

export function ApiKeysPage(): ReactElement {
  const text = useText();
  const { value: account } = useData({ name: 'accountInfo', of: 'account' });
  const lead = <Text id="apiKeys.lead" components={{ 0: <a href="/docs" className="text-link" /> }} />;
  const actions = account !== undefined && (
    <Button kind="primary" onClick={() => void create(account)}>
      {text('apiKeys.create')}
    </Button>
  );
  return (
    <Page title={text('apiKeys.title')} lead={lead} actions={actions}>
      <SignedInOnly invitation="account.signIn">
        <Section title={text('apiKeys.title')}>
          <KeyTable />
        </Section>
      </SignedInOnly>
    </Page>
  );
}
