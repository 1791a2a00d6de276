/** The passkeys of the account: what each is called, since when it is bound, and when it was last shown. */
import type { Passkey } from '@orrery/api';
import type { ReactElement } from 'react';
import { showDone } from '../../platform/client/success.ts';
import { useData } from '../../platform/data/use-data.ts';
import { say, useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import type { AddedFactor } from './factor-added-dialog.tsx';
import type { AccountInfo } from './owner-proof.ts';

const AddPasskeyDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).AddPasskeyDialog);
const FactorAddedDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).FactorAddedDialog);
const RenamePasskeyDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).RenamePasskeyDialog);
const RemovePasskeyDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).RemovePasskeyDialog);

interface Owned {
  readonly account: AccountInfo;
}

async function add(account: AccountInfo): Promise<void> {
  const codes = await openDialog(AddPasskeyDialog, { account });
  if (codes === undefined) return;
  if (codes.length > 0) await openDialog<never, AddedFactor>(FactorAddedDialog, { kind: 'passkey', codes });
  else showDone('bind', say('security.passkeyAddedTitle'));
}

async function remove(asked: Owned & { readonly passkey: Passkey; readonly isLast: boolean }): Promise<void> {
  if ((await openDialog(RemovePasskeyDialog, asked)) === true) showDone('delete', say('security.passkeyRemoved'));
}

function Row({ account, passkey, isLast }: Owned & { readonly passkey: Passkey; readonly isLast: boolean }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { name, site, createdTime, lastUsedTime } = passkey;
  const words = [
    text('security.passkeyMade', { time: format.time(createdTime) }),
    lastUsedTime === null ? text('security.passkeyUnused') : text('security.passkeyUsed', { time: format.time(lastUsedTime) }),
    ...(site === location.hostname ? [] : [text('security.passkeySite', { site })]),
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-2.5 last:border-0">
      <div className="min-w-0">
        <p className="text-md font-medium break-words">{name}</p>
        {words.map((line) => (
          <p key={line} className="text-sm text-fg3">
            {line}
          </p>
        ))}
      </div>
      <span className="flex gap-2">
        <Button
          size="small"
          aria-label={`${text('security.rename')}: ${name}`}
          onClick={() => void openDialog(RenamePasskeyDialog, { passkey })}
        >
          {text('security.rename')}
        </Button>
        <Button size="small" aria-label={`${text('security.remove')}: ${name}`} onClick={() => void remove({ account, passkey, isLast })}>
          {text('security.remove')}
        </Button>
      </span>
    </li>
  );
}

export function Passkeys({ account }: Owned): ReactElement {
  const text = useText();
  const { value, phase, retry } = useData({ name: 'passkeys', of: 'account' });
  const aside = (
    <Button size="small" kind={account.passkeySecurityStatus ? 'quiet' : 'primary'} onClick={() => void add(account)}>
      {text('security.addPasskey')}
    </Button>
  );
  const list = value?.list ?? [];
  const isLast = list.length === 1 && !account.googleSecurityStatus;
  return (
    <Section title={text('security.passkeys')} aside={aside}>
      {value === undefined && (phase === 'failed' ? <FailedState onRetry={retry} /> : <Skeleton className="m-4 w-72" />)}
      {value !== undefined && list.length === 0 && <p className="px-4 py-4 text-fg2">{text('security.passkeyNone')}</p>}
      {list.length > 0 && (
        <ul aria-label={text('security.passkeys')}>
          {list.map((passkey) => (
            <Row key={passkey.credentialId} account={account} passkey={passkey} isLast={isLast} />
          ))}
        </ul>
      )}
    </Section>
  );
}
