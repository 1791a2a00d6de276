/** Hands in an identity: the files first, then what they prove. */
import { DOCUMENT_TYPES, FILE_BYTES_MAX, FILE_TYPES, IdentityWish, SentFile } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { showDone } from '../../platform/client/success.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';
import { Combobox } from '../../kit/ui/combobox.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import { Field } from '../../kit/ui/field.tsx';
import { FileField } from '../../kit/ui/file-field.tsx';
import { Form } from '../../kit/ui/form.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';

const { realName, documentType, documentNumber, country } = IdentityWish.properties;
const schema = Type.Object({ realName, country, documentType, documentNumber });

const INITIAL: Static<typeof schema> = { realName: '', country: '', documentType: 'PASSPORT', documentNumber: '' };

const RULE = { types: FILE_TYPES, maxBytes: FILE_BYTES_MAX };

async function upload(file: File, by: By): Promise<string> {
  const { fileId } = await ask('uploadFile', { body: new SentFile(file.type, new Uint8Array(await file.arrayBuffer())) }, by);
  return fileId;
}

function Country(control: FormControl<string>): ReactElement {
  const text = useText();
  const { value } = useData({ name: 'countries', of: 'everybody', staleMs: Number.POSITIVE_INFINITY });
  const choices = (value?.list ?? []).map(({ country: code, name }) => ({ value: code, label: name, detail: code }));
  return <Combobox {...control} label={text('verification.country')} choices={choices} />;
}

export function IdentityForm(): ReactElement {
  const text = useText();
  const by = useActor();
  const [front, setFront] = useState<File>();
  const [back, setBack] = useState<File>();
  // Uploads are counted: what was taken is not sent again after a refusal.
  const [taken] = useState(() => new WeakMap<File, string>());
  const idOf = async (file: File): Promise<string> => {
    const fileId = taken.get(file) ?? (await upload(file, by));
    taken.set(file, fileId);
    return fileId;
  };
  const form = useForm({
    schema,
    initial: INITIAL,
    async send(values) {
      if (front === undefined) throw new FormFault(text('verification.noFile'));
      const fileIds = [await idOf(front), ...(back === undefined ? [] : [await idOf(back)])];
      await ask('identityAuth', { body: { ...values, documentNumber: values.documentNumber.trim(), fileIds } }, by);
      showDone('submit', text('verification.handedIn'));
      await refresh('accountInfo');
    },
  });
  const types = DOCUMENT_TYPES.map((value) => ({ value, label: text(`verification.document.${value}`) }));
  return (
    <Form form={form} label={text('verification.handIn')} action={text('verification.send')} className="p-4">
      <Field
        {...form.field('realName')}
        label={text('verification.realName')}
        hint={text('verification.realNameHint')}
        autoComplete="name"
        maxLength={100}
      />
      <Country {...form.field('country')} />
      <SelectField {...form.field('documentType')} label={text('verification.document')} choices={types} />
      <Field {...form.field('documentNumber')} label={text('verification.number')} maxLength={32} />
      <FileField {...RULE} label={text('verification.front')} hint={text('verification.fileHint')} value={front} onChange={setFront} />
      <FileField {...RULE} label={text('verification.back')} hint={text('verification.backHint')} value={back} onChange={setBack} />
    </Form>
  );
}
