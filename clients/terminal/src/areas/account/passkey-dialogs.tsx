/** A passkey is made and bound, gets another name, or is removed. */
import { ADD_PASSKEY_STATEMENT, type Passkey, REMOVE_PASSKEY_STATEMENT } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { type FactorState, useFactor, waysOfFactors } from '../../platform/factors/factor.ts';
import type { MadePasskey } from '../../platform/factors/passkey.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { loadCode } from '../../kit/ui/load-code.ts';
import { Notice } from '../../kit/ui/notice.tsx';
import { type FormState, useForm } from '../../kit/ui/use-form.ts';
import { browserName } from './browser-name.ts';
import { type AccountInfo, atOwnField, ownerProof } from './owner-proof.ts';
import { PasswordField } from './password-field.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';

const NAME_MAX = 40;

interface Owned {
  readonly account: AccountInfo;
}

interface Named {
  readonly passkey: Passkey;
}

const NAME = Type.String({ pattern: '\\S', maxLength: NAME_MAX });
const OWNER = { currentPassword: Type.String({ maxLength: 128 }) };
const addSchema = Type.Object({ name: NAME, ...OWNER });
const renameSchema = Type.Object({ name: NAME });
const removeSchema = Type.Object(OWNER);

async function make(): Promise<MadePasskey> {
  const options = await ask('passkeyOptions', { body: {} });
  const { makePasskey } = await loadCode(() => import('../../platform/factors/passkey.ts'));
  return makePasskey(options);
}

interface ProofProps<Values extends { readonly currentPassword: string }> extends Owned {
  readonly form: FormState<Values>;
  readonly factor: FactorState;
}

function Proof<Values extends { readonly currentPassword: string }>({ account, form, factor }: ProofProps<Values>): ReactElement {
  const text = useText();
  return (
    <>
      {account.authType === 'NAME' && (
        <PasswordField {...form.field('currentPassword')} label={text('security.currentPassword')} isNew={false} />
      )}
      <FactorField factor={factor} disabled={form.busy} />
      <Notice tone="warn">{text('security.holdNotice')}</Notice>
    </>
  );
}

function NameField(control: FormControl<string>): ReactElement {
  const text = useText();
  return <Field {...control} label={text('security.passkeyName')} hint={text('security.passkeyNameHint')} maxLength={NAME_MAX} />;
}

/** Answers the backup codes: none where a factor was bound before. */
export function AddPasskeyDialog({ account, resolve, close }: Dialogue<readonly string[]> & Owned): ReactElement {
  const text = useText();
  const by = useActor();
  const factor = useFactor(waysOfFactors(account));
  // One that was made is bound by the next try, when the proof of the owner was refused.
  const [made, setMade] = useState<MadePasskey>();
  const form = useForm({
    schema: addSchema,
    initial: { name: browserName(navigator.userAgent).slice(0, NAME_MAX), currentPassword: '' },
    async send({ name, currentPassword }) {
      try {
        const fresh = made ?? (await make());
        setMade(fresh);
        const asked = { purpose: 'security', statement: ADD_PASSKEY_STATEMENT } as const;
        const proof = await ownerProof(account, { currentPassword, factor }, asked);
        const { backupCodes } = await pastCaptcha((captcha) =>
          ask('addPasskey', { body: { name: name.trim(), ...fresh, ...proof, ...captcha } }, by),
        );
        await refresh('accountInfo', 'passkeys');
        resolve(backupCodes);
      } catch (error) {
        if (error instanceof CallError && error.reason === 'InvalidPasskey') setMade(undefined);
        throw atOwnField(error);
      }
    },
  });
  return (
    <FormDialog
      width="narrow"
      title={text('security.addPasskey')}
      description={text('security.addPasskeyLead')}
      action={text(account.authType === 'NAME' ? 'security.makePasskey' : 'security.makePasskeySign')}
      form={form}
      close={close}
    >
      <NameField {...form.field('name')} />
      <Proof account={account} form={form} factor={factor} />
    </FormDialog>
  );
}

export function RenamePasskeyDialog({ passkey, resolve, close }: Dialogue<true> & Named): ReactElement {
  const text = useText();
  const by = useActor();
  const form = useForm({
    schema: renameSchema,
    initial: { name: passkey.name },
    async send({ name }) {
      try {
        await ask('renamePasskey', { body: { credentialId: passkey.credentialId, name: name.trim() } }, by);
        await refresh('passkeys');
        resolve(true);
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  return (
    <FormDialog width="narrow" title={text('security.renamePasskey')} action={text('security.save')} form={form} close={close}>
      <NameField {...form.field('name')} />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({
  account,
  passkey,
  isLast,
  resolve,
  close,
}: Dialogue<true> & Owned & Named & { readonly isLast: boolean }): ReactElement {
  const text = useText();
  const by = useActor();
  const factor = useFactor(waysOfFactors(account));
  const form = useForm({
    schema: removeSchema,
    initial: { currentPassword: '' },
    async send({ currentPassword }) {
      try {
        const asked = { purpose: 'security', statement: REMOVE_PASSKEY_STATEMENT } as const;
        const proof = await ownerProof(account, { currentPassword, factor }, asked);
        await pastCaptcha((captcha) => ask('removePasskey', { body: { credentialId: passkey.credentialId, ...proof, ...captcha } }, by));
        await refresh('accountInfo', 'passkeys');
        resolve(true);
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  return (
    <FormDialog
      width="narrow"
      title={text('security.removePasskey')}
      description={text('security.removePasskeyLead', { name: passkey.name })}
      action={text(account.authType === 'NAME' ? 'security.remove' : 'security.removeSign')}
      kind="danger"
      form={form}
      close={close}
    >
      {isLast && <p className="text-fg2">{text('security.lastFactor')}</p>}
      <Proof account={account} form={form} factor={factor} />
    </FormDialog>
  );
}
