import { apiKeyStatement, PERMISSIONS } from '@orrery/api';
import type { ApiKeyWish, NewApiKey, Permission } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { ask } from '../data/calls.ts';
import { useText } from '../i18n/text.tsx';
import { signFor, useSession } from '../session/session.ts';
import { walletMessage } from '../session/sign.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { FormFault, useForm } from '../ui/use-form.ts';
import { walletPrompt } from '../wallet/prompts.ts';
import { useWallet } from '../wallet/wallet-store.ts';

const LABEL_MAX = 64;

function Permissions({ value, onChange }: { readonly value: Permission; readonly onChange: (value: Permission) => void }): ReactElement {
  const text = useText();
  const choices = PERMISSIONS.map((permission) => ({
    value: permission,
    label: (
      <>
        <span className="block font-medium">{text(`apiKeys.permission.${permission}`)}</span>
        <span className="block text-sm text-fg2">{text(`apiKeys.permission.${permission}Hint`)}</span>
      </>
    ),
  }));
  return (
    <RadioGroup
      label={text('apiKeys.permission')}
      value={value}
      choices={choices}
      onChange={onChange}
      className="flex flex-col gap-2"
      itemClassName={(_permission, state) =>
        classes('rounded border bg-page p-2.5 text-start', state === 'chosen' ? 'border-bone' : 'border-line hover:border-control')
      }
    />
  );
}

const schema = Type.Object({
  label: Type.String({ pattern: '\\S', maxLength: LABEL_MAX }),
  permission: Type.Enum([...PERMISSIONS]),
  /** As typed; the exchange knows what an address is. */
  ipList: Type.String(),
  legacySigning: Type.Boolean(),
});

const ipListOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '');

/** Signed by the wallet over what the key may do: a stolen session makes none. */
async function createKey(owner: string, wish: ApiKeyWish): Promise<NewApiKey> {
  const signed = await signFor({ address: owner, purpose: 'api-key', statement: apiKeyStatement(wish) });
  const { ipList = [], ...rest } = wish;
  // The form says what is refused, at its field.
  return ask('createApiKey', { body: { ...rest, ipList: [...ipList], ...signed } });
}

export function CreateKeyDialog({ resolve, close }: Dialogue<NewApiKey>): ReactElement {
  const text = useText();
  const id = useId();
  const owner = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const form = useForm({
    schema,
    initial: { label: '', permission: 'READ', ipList: '', legacySigning: false },
    async send({ label, permission, ipList, legacySigning }) {
      if (owner === undefined) return close();
      const wish = { label: label.trim(), permission, ipList: ipListOf(ipList), legacySigning: permission === 'TRADE' && legacySigning };
      try {
        resolve(await createKey(owner, wish));
      } catch (error) {
        throw error instanceof CallError ? error : new FormFault(walletMessage(error));
      }
    },
  });
  const [label, permission, ipList, legacySigning] = [
    form.field('label'),
    form.field('permission'),
    form.field('ipList'),
    form.field('legacySigning'),
  ];
  const footer = (
    <Button type="submit" form={id} kind="primary" size="large" className="grow" disabled={form.busy}>
      {text(form.busy ? walletPrompt('sign', connector) : 'apiKeys.sign')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('apiKeys.createTitle')} footer={footer}>
      <form id={id} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        <Field
          {...label}
          label={text('apiKeys.label')}
          hint={text('apiKeys.labelHint')}
          maxLength={LABEL_MAX}
          onChange={({ target }) => label.onChange(target.value)}
        />
        <Permissions value={permission.value} onChange={permission.onChange} />
        <Field
          {...ipList}
          label={text('apiKeys.ips')}
          hint={text('apiKeys.ipsHint')}
          placeholder="203.0.113.7 198.51.100.0/24"
          onChange={({ target }) => ipList.onChange(target.value)}
        />
        {permission.value === 'TRADE' && (
          <Checkbox checked={legacySigning.value} onChange={legacySigning.onChange}>
            {text('apiKeys.legacyHint')}
          </Checkbox>
        )}
        {form.fault !== undefined && <Notice tone="error">{form.fault}</Notice>}
      </form>
    </Dialog>
  );
}
