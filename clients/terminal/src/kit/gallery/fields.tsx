import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Field } from '../ui/field.tsx';
import { FileField } from '../ui/file-field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { PhoneField } from '../ui/phone-field.tsx';
import { OtpField } from '../ui/otp-field.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { Grid, Specimen } from './specimen.tsx';

const COUNTRIES = [
  { value: 'DE', label: 'Deutschland', detail: '+49' },
  { value: 'GB', label: 'United Kingdom', detail: '+44' },
  { value: 'US', label: 'United States', detail: '+1' },
] as const;
const IMAGE = { types: ['image/png', 'image/jpeg'], maxBytes: 2 * 1024 ** 2 } as const;

export function Fields(): ReactElement {
  const text = useText();
  const [line, setLine] = useState('');
  const [lines, setLines] = useState('');
  const [code, setCode] = useState('12');
  const [phone, setPhone] = useState('');
  const [file, setFile] = useState<File>();
  const label = text('gallery.label');
  const [hint, error] = [text('gallery.hint'), text('gallery.error')];
  return (
    <Specimen title="gallery.fields">
      <Grid>
        <Field label={label} hint={hint} placeholder={text('gallery.placeholder')} value={line} onChange={setLine} />
        <Field label={label} error={error} value={line} onChange={setLine} />
        <Field label={text('gallery.disabled')} disabled value={text('gallery.first')} onChange={setLine} />
        <TextArea label={label} rows={3} maxLength={120} value={lines} onChange={setLines} />
        <TextArea label={label} rows={3} error={error} value={lines} onChange={setLines} />
        <TextArea label={text('gallery.disabled')} rows={3} disabled value="" onChange={setLines} />
        <OtpField label={label} value={code} onChange={setCode} hint={hint} />
        <OtpField label={label} value="123456" onChange={setCode} error={error} />
        <OtpField label={text('gallery.disabled')} value="" onChange={setCode} disabled />
        <PhoneField label={label} countries={COUNTRIES} home="GB" value={phone} onChange={setPhone} hint={phone} />
        <PhoneField label={label} countries={COUNTRIES} home="US" value={phone} onChange={setPhone} error={error} />
        <PhoneField label={text('gallery.disabled')} countries={COUNTRIES} home="DE" value="" onChange={setPhone} disabled />
        <FileField label={label} {...IMAGE} value={file} onChange={setFile} />
        <FileField label={label} {...IMAGE} value={file} onChange={setFile} error={error} />
      </Grid>
    </Specimen>
  );
}

export function Numbers(): ReactElement {
  const text = useText();
  const [amount, setAmount] = useState('1500.25');
  const [other, setOther] = useState('');
  const label = text('gallery.size');
  return (
    <Specimen title="gallery.numbers">
      <Grid>
        <NumberField
          label={label}
          value={amount}
          onChange={setAmount}
          hint={text('gallery.hint')}
          aside={<span className="text-fg3">USDC</span>}
        />
        <NumberField label={text('gallery.price')} value={other} onChange={setOther} />
        <NumberField label={label} value={amount} onChange={setAmount} error={text('gallery.error')} />
        <NumberField label={text('gallery.disabled')} value={amount} onChange={setAmount} disabled />
      </Grid>
      <output aria-label={text('gallery.saved')} className="text-md text-fg2">
        {amount} · {other}
      </output>
    </Specimen>
  );
}
