import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Segmented } from '../ui/radio-group.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';
import { Tabs, TabPanel } from '../ui/tabs.tsx';
import { Grid, Row, Specimen } from './specimen.tsx';

const IDS = ['first', 'second', 'third'] as const;
type Id = (typeof IDS)[number];

export function Choices(): ReactElement {
  const text = useText();
  const [id, setId] = useState<Id>('first');
  const [isOn, setOn] = useState(true);
  const [share, setShare] = useState(40);
  const label = text('gallery.label');
  const choices = IDS.map((value) => ({ value, label: text(`gallery.${value}`) }));
  return (
    <Specimen title="gallery.choices">
      <Row>
        <Segmented label={label} value={id} choices={choices} onChange={setId} />
        <Segmented size="small" label={label} value={id} choices={choices} onChange={setId} />
        <Segmented
          label={text('gallery.disabled')}
          value={id}
          choices={choices.map((choice, place) => ({ ...choice, disabled: place === 1 }))}
          onChange={setId}
        />
      </Row>
      <Grid>
        <SelectField label={label} value={id} choices={choices} onChange={setId} hint={text('gallery.hint')} />
        <SelectField label={label} value={id} choices={choices} onChange={setId} error={text('gallery.error')} />
        <SelectField label={text('gallery.disabled')} value={id} choices={choices} onChange={setId} disabled />
        <Combobox label={label} value={id} choices={choices} onChange={setId} hint={text('gallery.hint')} />
        <Combobox
          label={label}
          value={undefined}
          choices={choices}
          onChange={setId}
          error={text('gallery.error')}
          placeholder={text('gallery.placeholder')}
        />
        <Combobox label={text('gallery.disabled')} value={id} choices={choices} onChange={setId} disabled />
      </Grid>
      <Row>
        <Checkbox value={isOn} onChange={setOn}>
          {label}
        </Checkbox>
        <Checkbox value={isOn} onChange={setOn} disabled>
          {text('gallery.disabled')}
        </Checkbox>
        <Switch label={label} value={isOn} onChange={setOn} />
        <Switch label={label} value={!isOn} onChange={setOn} />
      </Row>
      <Slider label={label} value={share} onChange={setShare} />
      <Slider label={text('gallery.disabled')} value={25} onChange={setShare} disabled />
      <Tabs tabs={choices.map(({ value, label: name }) => ({ id: value, label: name }))} value={id} onChange={setId} label={label}>
        <TabPanel id={id} className="p-2.5 text-fg2">
          {text('gallery.sentence')}
        </TabPanel>
      </Tabs>
    </Specimen>
  );
}
