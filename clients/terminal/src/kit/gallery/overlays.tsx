import { lazy, useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { openDialog } from '../ui/dialogs.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Popover } from '../ui/popover.tsx';
import { showInfo, showSuccess } from '../ui/toast.ts';
import { Explained } from '../ui/tooltip.tsx';
import { Panel } from '../ui/panel.tsx';
import { useForm } from '../ui/use-form.ts';
import { Row, Specimen } from './specimen.tsx';

const CommandPalette = lazy(async () => ({ default: (await import('../ui/command-palette.tsx')).CommandPalette }));

const IDS = ['first', 'second', 'third'] as const;

function Menus(): ReactElement {
  const text = useText();
  const [isOn, setOn] = useState(true);
  const [id, setId] = useState<(typeof IDS)[number]>('first');
  return (
    <Menu align="start" trigger={<Button>{text('app.menu')}</Button>}>
      <MenuItem onSelect={() => showInfo(text('gallery.first'))}>{text('gallery.action')}</MenuItem>
      <MenuItem disabled onSelect={() => showInfo(text('gallery.second'))}>
        {text('gallery.disabled')}
      </MenuItem>
      <MenuItem danger onSelect={() => showInfo(text('gallery.third'))}>
        {text('gallery.failed')}
      </MenuItem>
      <MenuSeparator />
      <MenuCheck value={isOn} onChange={setOn}>
        {text('gallery.saved')}
      </MenuCheck>
      <MenuSeparator />
      <MenuChoice
        label={text('gallery.label')}
        value={id}
        choices={IDS.map((value) => ({ value, label: text(`gallery.${value}`) }))}
        onChange={setId}
      />
    </Menu>
  );
}

const schema = Type.Object({ name: Type.String({ minLength: 3, maxLength: 20 }) });

function NameDialog({ resolve, close }: Dialogue<string>): ReactElement {
  const text = useText();
  const form = useForm({ schema, initial: { name: '' }, send: async ({ name }) => resolve(name) });
  return (
    <FormDialog
      title={text('gallery.forms')}
      description={text('gallery.sentence')}
      action={text('gallery.action')}
      form={form}
      close={close}
    >
      <Field {...form.field('name')} label={text('gallery.name')} />
    </FormDialog>
  );
}

function Palette(): ReactElement {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const entries = IDS.map((id) => ({
    id,
    label: text(`gallery.${id}`),
    group: text(id === 'third' ? 'gallery.choices' : 'gallery.action'),
    aside: id === 'first' ? 'G' : undefined,
    onSelect: () => showInfo(text(`gallery.${id}`)),
  }));
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text('gallery.palette')}</Button>
      {isOpen && (
        <Panel>
          <CommandPalette
            label={text('gallery.palette')}
            placeholder={text('gallery.placeholder')}
            entries={entries}
            onClose={() => setOpen(false)}
          />
        </Panel>
      )}
    </>
  );
}

export function Overlays(): ReactElement {
  const text = useText();
  const [drawer, setDrawer] = useState<'open' | 'closed'>('open');
  const ask = (): void =>
    void openDialog(ConfirmDialog, { title: text('gallery.open'), lead: text('gallery.sentence'), action: text('gallery.action') });
  const fillIn = async (): Promise<void> => {
    const name = await openDialog(NameDialog, {});
    if (name !== undefined) showSuccess('gallery.saved', { detail: name });
  };
  return (
    <Specimen title="gallery.overlays">
      <Row>
        <Button onClick={ask}>{text('gallery.dialog')}</Button>
        <Button onClick={() => void fillIn()}>{text('gallery.forms')}</Button>
        <Menus />
        <Popover trigger={<Button>{text('gallery.popover')}</Button>} label={text('gallery.popover')} className="max-w-60 p-3 text-md">
          {text('gallery.sentence')}
        </Popover>
        <Explained content={text('gallery.sentence')}>{text('gallery.tooltip')}</Explained>
        <Palette />
        <Button onClick={() => setDrawer('open')}>{text('gallery.drawer')}</Button>
      </Row>
      <div className="relative h-40 overflow-hidden rounded border border-line bg-page">
        {drawer === 'open' && (
          <Drawer title={text('gallery.drawer')} onClose={() => setDrawer('closed')} className="inset-e-0 w-64">
            <p className="p-2.5 text-md text-fg2">{text('gallery.sentence')}</p>
          </Drawer>
        )}
      </div>
    </Specimen>
  );
}
