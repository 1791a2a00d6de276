import { CallError } from '@orrery/sdk';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../i18n/text.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { showSuccess } from '../ui/toast.ts';
import { useForm } from '../ui/use-form.ts';
import { Grid, Specimen } from './specimen.tsx';

const schema = Type.Object({
  name: Type.String({ minLength: 3, maxLength: 20 }),
  size: Type.String({ pattern: '^[0-9]+$' }),
  side: Type.Enum(['first', 'second']),
});

/** Stands in for the exchange, which may know better than the schema. */
const REFUSED_NAME = 'refused';

export function Forms(): ReactElement {
  const text = useText();
  const form = useForm({
    schema,
    initial: { name: '', size: '', side: 'first' },
    faults: { size: 'gallery.whole' },
    async send({ name }) {
      if (name === REFUSED_NAME) throw new CallError({ code: 1, msg: text('gallery.error'), status: 400, field: 'name' });
      await Promise.resolve();
      showSuccess('gallery.saved');
      form.reset();
    },
  });
  return (
    <Specimen title="gallery.forms">
      <Form form={form} label={text('gallery.forms')} action={text('gallery.action')}>
        <Grid>
          <Field {...form.field('name')} label={text('gallery.name')} hint={text('gallery.refused', { name: REFUSED_NAME })} />
          <NumberField {...form.field('size')} label={text('gallery.size')} />
          <SelectField
            {...form.field('side')}
            label={text('gallery.label')}
            choices={(['first', 'second'] as const).map((value) => ({ value, label: text(`gallery.${value}`) }))}
          />
        </Grid>
      </Form>
    </Specimen>
  );
}
