import { PERMISSIONS } from '@orrery/api';
import type { NewApiKey, Permission } from '@orrery/api';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';

function Permissions({ value, onChange }: { readonly value: Permission; readonly onChange: (value: Permission) => void }): ReactElement {
  const text = useText();
  const change = (next: string): void => {
    const chosen = PERMISSIONS.find((permission) => permission === next);
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <RadioGroup.Root aria-label={text('apiKeys.permission')} value={value} onValueChange={change} className="flex flex-col gap-2">
      {PERMISSIONS.map((permission) => (
        <RadioGroup.Item
          key={permission}
          value={permission}
          className="rounded border border-line bg-page p-2.5 text-left hover:border-control data-[state=checked]:border-bone"
        >
          <span className="block font-medium">{text(`apiKeys.permission.${permission}`)}</span>
          <span className="block text-sm text-fg2">{text(`apiKeys.permission.${permission}Hint`)}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

const ipListOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '');

export function CreateKeyDialog({ resolve, close }: Dialogue<NewApiKey>): ReactElement {
  const text = useText();
  const [label, setLabel] = useState('');
  const [permission, setPermission] = useState<Permission>('READ');
  const [ips, setIps] = useState('');
  const [sending, setSending] = useState(false);
  const create = (): void => {
    setSending(true);
    const ipList = ipListOf(ips);
    http
      .call('createApiKey', { body: { label: label.trim(), permission, ...(ipList.length > 0 && { ipList }) } })
      .then(resolve, () => setSending(false));
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" busy={sending} disabled={label.trim() === ''} onClick={create}>
      {text('apiKeys.create')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('apiKeys.createTitle')} footer={footer}>
      <div className="flex flex-col gap-4">
        <Field
          label={text('apiKeys.label')}
          hint={text('apiKeys.labelHint')}
          maxLength={64}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Permissions value={permission} onChange={setPermission} />
        <Field
          label={text('apiKeys.ips')}
          hint={text('apiKeys.ipsHint')}
          placeholder="203.0.113.7 198.51.100.0/24"
          value={ips}
          onChange={(event) => setIps(event.target.value)}
        />
      </div>
    </Dialog>
  );
}
