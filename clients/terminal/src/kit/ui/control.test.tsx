// @vitest-environment happy-dom
/** One protocol for every control: what a form gives for a field is spread on any of them. */
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { beforeEach, expect, test } from 'vitest';
import { show } from '../../testing/stage.tsx';
import { NumberField as TicketField } from '../../trade/shared/number-field.tsx';
import { Checkbox } from './checkbox.tsx';
import { Combobox } from './combobox.tsx';
import { Field } from './field.tsx';
import { FileField } from './file-field.tsx';
import { Form } from './form.tsx';
import { NumberField } from './number-field.tsx';
import { OtpField } from './otp-field.tsx';
import { PhoneField } from './phone-field.tsx';
import { Segmented } from './radio-group.tsx';
import { SelectField } from './select-field.tsx';
import { Slider } from './slider.tsx';
import { Switch } from './switch.tsx';
import { TextArea } from './text-area.tsx';
import { useForm } from './use-form.ts';
import type { FormField } from './use-form.ts';

const WRONG = 'Wrong.';
const CHOICES = [
  { value: 'GB', label: 'Great Britain', detail: '+44' },
  { value: 'DE', label: 'Germany', detail: '+49' },
] as const;
const IMAGE = { types: ['image/png'], maxBytes: 1_024 };
const image = new File(['x'], 'x.png', { type: 'image/png' });

let events: unknown[];
beforeEach(() => {
  events = [];
});

const field = <Value,>(value: Value): FormField<Value> => ({
  value,
  onChange: (next) => events.push(next),
  onBlur: () => events.push('left'),
  error: WRONG,
});

type Step = (control: HTMLElement) => Promise<unknown>;
const click: Step = (control) => userEvent.click(control);
const type =
  (keys: string): Step =>
  (control) =>
    userEvent.type(control, keys);

const CONTROLS: readonly (readonly [name: string, render: () => ReactElement, role: string, step: Step, chosen: unknown])[] = [
  ['Checkbox', () => <Checkbox {...field(false)}>Name</Checkbox>, 'checkbox', click, true],
  ['Switch', () => <Switch {...field(true)} label="Name" />, 'switch', click, false],
  [
    'Segmented',
    () => <Segmented {...field('GB')} label="Name" choices={CHOICES} />,
    'radiogroup',
    () => click(screen.getByText('Germany')),
    'DE',
  ],
  [
    'SelectField',
    () => <SelectField {...field('GB')} label="Name" choices={CHOICES} />,
    'combobox',
    (at) => userEvent.selectOptions(at, 'DE'),
    'DE',
  ],
  [
    'Combobox',
    () => <Combobox {...field('GB')} label="Name" choices={CHOICES} />,
    'combobox',
    type('{Control>}a{/Control}ger{Enter}'),
    'DE',
  ],
  ['Slider', () => <Slider {...field(40)} label="Name" />, 'slider', type('{ArrowUp}'), 41],
  ['Field', () => <Field {...field('')} label="Name" />, 'textbox', type('a'), 'a'],
  ['TextArea', () => <TextArea {...field('')} label="Name" />, 'textbox', type('a'), 'a'],
  ['NumberField', () => <NumberField {...field('')} label="Name" />, 'textbox', type('5'), '5'],
  ['NumberField of the ticket', () => <TicketField {...field('')} label="Name" unit="BTC" />, 'textbox', type('5'), '5'],
  ['OtpField', () => <OtpField {...field('')} label="Name" />, 'textbox', type('7'), '7'],
  ['PhoneField', () => <PhoneField {...field('')} label="Name" countries={CHOICES} home="GB" />, 'textbox', type('7'), '+447'],
  [
    'FileField',
    () => <FileField {...field<File | undefined>(undefined)} {...IMAGE} label="Name" />,
    '',
    (at) => userEvent.upload(at, image),
    image,
  ],
];

test.each(CONTROLS)(
  '%s shows the value and the error of a form, and reports what is chosen and that it was left',
  async (_name, render, role, step, chosen) => {
    await show(render());
    const input = role === '' ? screen.getByLabelText('Name') : screen.getByRole(role);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const note = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toBe(WRONG);
    await step(input);
    // While its dialog is open, a field of files is left.
    expect(events.filter((event) => event !== 'left')).toEqual([chosen]);
    events = [];
    (document.activeElement as HTMLElement).blur();
    expect(events).toEqual(['left']);
  },
);

test('a number that is set from elsewhere replaces the one that was typed, with its country', async () => {
  await show(<PhoneField {...field('+4930901820')} label="Name" countries={CHOICES} home="GB" />);
  expect(screen.getByRole('combobox').getAttribute('value')).toBe('Germany');
  expect(screen.getByRole('textbox').getAttribute('value')).toBe('30901820');
});

const schema = Type.Object({ country: Type.String({ maxLength: 1 }), name: Type.String({ minLength: 1 }) });

function Home(): ReactElement {
  const form = useForm({ schema, initial: { country: 'DE', name: '' }, send: () => Promise.resolve() });
  return (
    <Form form={form} label="Home" action="Send">
      <Segmented {...form.field('country')} label="Country" choices={CHOICES} />
      <Field {...form.field('name')} label="Name" />
    </Form>
  );
}

test('the focus goes to the chosen button of a group that is wrong', async () => {
  await show(<Home />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Germany'));
});
