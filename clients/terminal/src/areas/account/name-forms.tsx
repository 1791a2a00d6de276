/** The forms of people who log in by a name: password, code, registration, reset. */
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { enter } from '../../platform/session/enter.ts';
import { Field } from '../../kit/ui/field.tsx';
import { Form } from '../../kit/ui/form.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import { CodeField } from './code-field.tsx';
import { loginByCode, loginByPassword, register, reset, sendCode, sendLoginCode } from './name-calls.ts';
import { NameField } from './name-field.tsx';
import { PasswordField } from './password-field.tsx';

const NAME_LENGTH_MIN = 3;
const Username = Type.String({ minLength: NAME_LENGTH_MIN, maxLength: 254 });
const TelCountryCode = Type.String({ pattern: '^([1-9][0-9]{0,3})?$' });
const Code = Type.String({ pattern: '^([0-9]{6}|[A-Z2-9]{8})$' });
const NewPassword = Type.String({ minLength: 8, maxLength: 128 });

const passwordSchema = Type.Object({
  username: Username,
  telCountryCode: TelCountryCode,
  password: Type.String({ minLength: 1, maxLength: 128 }),
});
const codeSchema = Type.Object({ email: Username, code: Code });
const newPasswordSchema = Type.Object({ username: Username, telCountryCode: TelCountryCode, code: Code, password: NewPassword });

export function PasswordForm(): ReactElement {
  const text = useText();
  const form = useForm({
    schema: passwordSchema,
    initial: { username: '', telCountryCode: '', password: '' },
    send: async (values) => enter(await loginByPassword(values)),
  });
  return (
    <Form form={form} label={text('auth.byPassword')} action={text('auth.logIn')} kind="secondary">
      <NameField username={form.field('username')} telCountryCode={form.field('telCountryCode')} />
      <PasswordField {...form.field('password')} label={text('auth.password')} isNew={false} />
    </Form>
  );
}

export function EmailCodeForm(): ReactElement {
  const text = useText();
  const form = useForm({
    schema: codeSchema,
    initial: { email: '', code: '' },
    faults: { code: 'auth.codeFault' },
    send: async ({ email, code }) => enter(await loginByCode(email, code)),
  });
  const email = form.field('email');
  return (
    <Form form={form} label={text('auth.byCode')} action={text('auth.logIn')} kind="secondary">
      <Field
        {...email}
        label={text('auth.email')}
        hint={text('auth.byCodeHint')}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
      />
      <CodeField {...form.field('code')} disabled={email.value.trim().length < NAME_LENGTH_MIN} send={() => sendLoginCode(email.value)} />
    </Form>
  );
}

interface NewPasswordFormProps {
  readonly purpose: 'register' | 'reset';
  readonly onReset?: () => void;
}

/** A code proves the name; with it a password is set, of a new account or of one that is there. */
export function NewPasswordForm({ purpose, onReset }: NewPasswordFormProps): ReactElement {
  const text = useText();
  const form = useForm({
    schema: newPasswordSchema,
    initial: { username: '', telCountryCode: '', code: '', password: '' },
    faults: { code: 'auth.codeFault', password: 'auth.passwordFault' },
    async send(values) {
      if (purpose === 'register') return enter(await register(values));
      await reset(values);
      onReset?.();
    },
  });
  const [username, telCountryCode] = [form.field('username'), form.field('telCountryCode')];
  return (
    <Form
      form={form}
      label={text(`auth.${purpose}`)}
      action={text(`auth.${purpose}Action`)}
      kind={purpose === 'register' ? 'secondary' : 'primary'}
    >
      <NameField username={username} telCountryCode={telCountryCode} />
      <CodeField
        {...form.field('code')}
        disabled={username.value.trim().length < NAME_LENGTH_MIN}
        send={() => sendCode(purpose, { username: username.value, telCountryCode: telCountryCode.value })}
      />
      <PasswordField {...form.field('password')} label={text('auth.newPassword')} isNew />
    </Form>
  );
}
