/** Binding an e-mail address or a telephone number, and setting a password. */
import { bindNameStatement, nameText, STATEMENTS } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { Type } from 'typebox';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { type FactorState, useFactor, waysOf } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { type FormState, useForm } from '../../kit/ui/use-form.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { CodeField } from './code-field.tsx';
import { sendCode } from './name-calls.ts';
import { NameField } from './name-field.tsx';
import { atOwnField, type AccountInfo, ownerProof } from './owner-proof.ts';
import { PasswordField } from './password-field.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';

interface Owned {
  readonly account: AccountInfo;
}

const OWNER = { currentPassword: Type.String({ maxLength: 128 }) };

const nameSchema = Type.Object({
  username: Type.String({ minLength: 3, maxLength: 254 }),
  telCountryCode: Type.String({ pattern: '^([1-9][0-9]{0,3})?$' }),
  code: Type.String({ pattern: '^([0-9]{6}|[A-Z2-9]{8})$' }),
  ...OWNER,
});
const passwordSchema = Type.Object({ password: Type.String({ minLength: 8, maxLength: 128 }), ...OWNER });

interface FrameProps<Values extends { readonly currentPassword: string }> extends Owned {
  readonly factor: FactorState;
  readonly title: string;
  readonly form: FormState<Values>;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The fields of the owner's proof under those of the change. */
function Frame<Values extends { readonly currentPassword: string }>(props: FrameProps<Values>): ReactElement {
  const { title, account, factor, form, close, children } = props;
  const text = useText();
  const connector = useWallet((state) => state.wallet?.type);
  const hasWallet = account.authType !== 'NAME';
  return (
    <FormDialog
      title={title}
      action={text(hasWallet ? 'security.signAndSave' : 'security.save')}
      waiting={hasWallet ? text(walletPrompt('sign', connector)) : undefined}
      form={form}
      close={close}
    >
      {children}
      {!hasWallet && <PasswordField {...form.field('currentPassword')} label={text('security.currentPassword')} isNew={false} />}
      <FactorField factor={factor} disabled={form.busy} />
      <Notice tone="warn">{text('security.holdNotice')}</Notice>
    </FormDialog>
  );
}

export function BindNameDialog({
  account,
  kind,
  resolve,
  close,
}: Dialogue<true> & Owned & { readonly kind: 'email' | 'phone' }): ReactElement {
  const text = useText();
  const by = useActor();
  const factor = useFactor(waysOf(account));
  const form = useForm({
    schema: nameSchema,
    initial: { username: '', telCountryCode: '', code: '', currentPassword: '' },
    faults: { code: 'auth.codeFault' },
    async send({ username, telCountryCode, code, currentPassword }) {
      const tel = { tel: username, ...(telCountryCode !== '' && { telCountryCode }) };
      try {
        const statement = bindNameStatement(nameText(username, telCountryCode === '' ? undefined : telCountryCode));
        const proof = await ownerProof(account, { currentPassword, factor }, { purpose: 'name', statement });
        await pastCaptcha<unknown>((captcha) =>
          kind === 'email'
            ? ask('bindEmail', { body: { email: username, code, ...proof, ...captcha } }, by)
            : ask('bindPhone', { body: { ...tel, code, ...proof, ...captcha } }, by),
        );
        await refresh('accountInfo');
        resolve(true);
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  const [username, telCountryCode] = [form.field('username'), form.field('telCountryCode')];
  const name = { username: username.value, telCountryCode: telCountryCode.value };
  return (
    <Frame title={text(`security.bind.${kind}`)} account={account} factor={factor} form={form} close={close}>
      <NameField kind={kind} username={username} telCountryCode={telCountryCode} />
      <CodeField {...form.field('code')} disabled={username.value.trim().length < 3} send={() => sendCode('bind', name)} />
    </Frame>
  );
}

export function SetPasswordDialog({ account, resolve, close }: Dialogue<true> & Owned): ReactElement {
  const text = useText();
  const by = useActor();
  const factor = useFactor(waysOf(account));
  const form = useForm({
    schema: passwordSchema,
    initial: { password: '', currentPassword: '' },
    faults: { password: 'auth.passwordFault' },
    async send({ password, currentPassword }) {
      try {
        const proof = await ownerProof(account, { currentPassword, factor }, { purpose: 'password', statement: STATEMENTS.password });
        await pastCaptcha((captcha) => ask('updatePassword', { body: { password, ...proof, ...captcha } }, by));
        await refresh('accountInfo');
        resolve(true);
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  return (
    <Frame title={text('security.setPassword')} account={account} factor={factor} form={form} close={close}>
      <PasswordField {...form.field('password')} label={text('auth.newPassword')} isNew />
    </Frame>
  );
}
