import { apiKeyStatement, MONEY_RIGHTS, PERMISSIONS } from '@orrery/api';
import type { ApiKeyWish, MoneyRight, NewApiKey, Permission } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask } from '../../platform/data/calls.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { type Factor, type FactorState, useFactor, waysOf, waysOfMoney } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { classes } from '../../kit/ui/classes.ts';
import type { FormControl } from '../../kit/ui/control.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { useForm, type FormField } from '../../kit/ui/use-form.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { type AccountInfo, atOwnField, ownerProof, type OwnerWords } from './owner-proof.ts';
import { PasswordField } from './password-field.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';

const LABEL_MAX = 64;

function Permissions(control: FormControl<Permission>): ReactElement {
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
      {...control}
      label={text('apiKeys.permission')}
      choices={choices}
      className="flex flex-col gap-2"
      itemClassName={(_permission, state) =>
        classes('rounded border bg-page p-2.5 text-start', state === 'chosen' ? 'border-bone' : 'border-line hover:border-control')
      }
    />
  );
}

function MoneyRights({ value, onChange }: FormControl<MoneyRight[]>): ReactElement {
  const text = useText();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm text-fg2">{text('apiKeys.money')}</legend>
      {MONEY_RIGHTS.map((right) => (
        <Checkbox
          key={right}
          value={value.includes(right)}
          onChange={(checked) => onChange(MONEY_RIGHTS.filter((each) => (each === right ? checked : value.includes(each))))}
        >
          {text(`apiKeys.money.${right}`)}: {text(`apiKeys.money.${right}Hint`)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

function Life(control: FormControl<Life>): ReactElement {
  const text = useText();
  const choices = LIVES.map((days) => ({
    value: days,
    label: days === 'none' ? text('apiKeys.life.none') : text('apiKeys.life.days', { days }),
  }));
  return <SelectField {...control} label={text('apiKeys.life')} choices={choices} />;
}

/** In days. */
const LIVES = ['none', '7', '30', '90', '365'] as const;
type Life = (typeof LIVES)[number];

const PUBLIC_KEY_LENGTH_MAX = 200;
const NO_WAYS: readonly Factor[] = [];

const schema = Type.Object({
  label: Type.String({ pattern: '\\S', maxLength: LABEL_MAX }),
  permission: Type.Enum([...PERMISSIONS]),
  /** As typed; the exchange knows what an address is. */
  ipList: Type.String(),
  legacySigning: Type.Boolean(),
  moneyRights: Type.Array(Type.Enum([...MONEY_RIGHTS])),
  lifeDays: Type.Enum([...LIVES]),
  publicKey: Type.String({ maxLength: PUBLIC_KEY_LENGTH_MAX }),
  currentPassword: Type.String({ maxLength: 128 }),
});

const INITIAL: Static<typeof schema> = {
  label: '',
  permission: 'READ',
  ipList: '',
  legacySigning: false,
  moneyRights: [],
  lifeDays: 'none',
  publicKey: '',
  currentPassword: '',
};

/** What is asked for, by what the form holds. A choice that is not on show counts for nothing. */
function wishOf(values: Static<typeof schema>): ApiKeyWish {
  const { label, permission, ipList, legacySigning, moneyRights, lifeDays, publicKey } = values;
  return {
    label: label.trim(),
    permission,
    ipList: ipListOf(ipList),
    legacySigning: legacySigning && mayBeLegacy({ trades: permission === 'TRADE', withdraws: moneyRights.includes('WITHDRAW'), publicKey }),
    moneyRights,
    ...(lifeDays !== 'none' && { lifeDays: Number(lifeDays) }),
    ...(publicKey.trim() !== '' && { publicKey: publicKey.trim() }),
  };
}

const mayBeLegacy = ({ trades, withdraws, publicKey }: { trades: boolean; withdraws: boolean; publicKey: string }): boolean =>
  trades && !withdraws && publicKey.trim() === '';

const ipListOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '');

/** Signed by the wallet over what the key may do, or by the password of an account without one: a stolen session makes none. */
async function createKey(account: AccountInfo, wish: ApiKeyWish, { by, ...words }: OwnerWords & { readonly by: By }): Promise<NewApiKey> {
  const asked = { purpose: 'api-key', statement: apiKeyStatement(wish) } as const;
  const proof = await ownerProof(account, words, asked);
  const { ipList = [], moneyRights = [], ...rest } = wish;
  // The form says what is refused, at its field.
  return pastCaptcha((captcha) =>
    ask('createApiKey', { body: { ...rest, ipList: [...ipList], moneyRights: [...moneyRights], ...proof, ...captcha } }, by),
  );
}

interface SigningProps {
  readonly publicKey: FormField<string>;
  readonly factor: FactorState;
  readonly legacySigning: FormField<boolean>;
  readonly withdraws: boolean;
  readonly trades: boolean;
}

/** By what the program signs, and the second factor where it is asked for. */
function Signing({ publicKey, factor, legacySigning, withdraws, trades }: SigningProps): ReactElement {
  const text = useText();
  return (
    <>
      <TextArea
        {...publicKey}
        label={text('apiKeys.publicKey')}
        hint={text('apiKeys.publicKeyHint')}
        rows={3}
        maxLength={PUBLIC_KEY_LENGTH_MAX}
      />
      <FactorField factor={factor} />
      {mayBeLegacy({ trades, withdraws, publicKey: publicKey.value }) && (
        <Checkbox {...legacySigning}>{text('apiKeys.legacyHint')}</Checkbox>
      )}
    </>
  );
}

export function CreateKeyDialog({ account, resolve, close }: Dialogue<NewApiKey> & { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const by = useActor();
  const isByName = account.authType === 'NAME';
  const connector = useWallet((state) => state.wallet?.type);
  const form = useForm({
    schema,
    initial: INITIAL,
    async send(values) {
      try {
        resolve(await createKey(account, wishOf(values), { currentPassword: values.currentPassword, factor, by }));
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  const [permission, moneyRights] = [form.field('permission'), form.field('moneyRights')];
  const withdraws = moneyRights.value.includes('WITHDRAW');
  const factor = useFactor(withdraws ? waysOfMoney(account) : isByName ? waysOf(account) : NO_WAYS);
  return (
    <FormDialog
      title={text('apiKeys.createTitle')}
      action={text(isByName ? 'apiKeys.create' : 'apiKeys.sign')}
      waiting={isByName ? undefined : text(walletPrompt('sign', connector))}
      form={form}
      close={close}
    >
      <Field {...form.field('label')} label={text('apiKeys.label')} hint={text('apiKeys.labelHint')} maxLength={LABEL_MAX} />
      {isByName ? (
        <Notice tone="info">{text('apiKeys.readOnly')}</Notice>
      ) : (
        <>
          <Permissions {...permission} />
          <MoneyRights {...moneyRights} />
        </>
      )}
      <Field
        {...form.field('ipList')}
        label={text('apiKeys.ips')}
        hint={text('apiKeys.ipsHint')}
        placeholder="203.0.113.7 198.51.100.0/24"
      />
      <Life {...form.field('lifeDays')} />
      <Signing
        publicKey={form.field('publicKey')}
        factor={factor}
        legacySigning={form.field('legacySigning')}
        withdraws={withdraws}
        trades={permission.value === 'TRADE'}
      />
      {isByName && <PasswordField {...form.field('currentPassword')} label={text('security.currentPassword')} isNew={false} />}
    </FormDialog>
  );
}
