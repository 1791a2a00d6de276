import { apiKeyStatement, PERMISSIONS } from '@orrery/api';
import type { ApiKeyWish, NewApiKey, Permission } from '@orrery/api';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { useText } from '../i18n/text.tsx';
import { signFor, useSession } from '../session/session.ts';
import { walletMessage } from '../session/sign.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { walletPrompt } from '../wallet/prompts.ts';
import { useWallet } from '../wallet/wallet-store.ts';

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
          className="rounded border border-line bg-page p-2.5 text-start hover:border-control data-[state=checked]:border-bone"
        >
          <span className="block font-medium">{text(`apiKeys.permission.${permission}`)}</span>
          <span className="block text-sm text-fg2">{text(`apiKeys.permission.${permission}Hint`)}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}

const ipListOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '');

/** Signed by the wallet over what the key may do: a stolen session makes none. */
async function createKey(owner: string, wish: ApiKeyWish): Promise<NewApiKey> {
  const signed = await signFor({ address: owner, purpose: 'api-key', statement: apiKeyStatement(wish) });
  const { ipList = [], ...rest } = wish;
  return http.call('createApiKey', { body: { ...rest, ipList: [...ipList], ...signed } });
}

export function CreateKeyDialog({ resolve, close }: Dialogue<NewApiKey>): ReactElement {
  const text = useText();
  const owner = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [label, setLabel] = useState('');
  const [permission, setPermission] = useState<Permission>('READ');
  const [ips, setIps] = useState('');
  const [legacySigning, setLegacySigning] = useState(false);
  const [signing, setSigning] = useState(false);
  const [problem, setProblem] = useState<string>();
  const create = async (): Promise<void> => {
    if (owner === undefined) return close();
    setSigning(true);
    setProblem(undefined);
    const isLegacy = permission === 'TRADE' && legacySigning;
    try {
      resolve(await createKey(owner, { label: label.trim(), permission, ipList: ipListOf(ips), legacySigning: isLegacy }));
    } catch (error) {
      setProblem(walletMessage(error));
      setSigning(false);
    }
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={label.trim() === '' || signing} onClick={() => void create()}>
      {text(signing ? walletPrompt('sign', connector) : 'apiKeys.sign')}
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
        {permission === 'TRADE' && (
          <Checkbox checked={legacySigning} onChange={setLegacySigning}>
            {text('apiKeys.legacyHint')}
          </Checkbox>
        )}
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
