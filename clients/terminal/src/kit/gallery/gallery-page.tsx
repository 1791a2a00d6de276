/** Every part of the kit in every state: what is looked at when a part changes, and what the tests of accessibility walk through. */
import { lazy } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { densities, directions, palettes, themes, useSettings } from '../settings/settings.ts';
import { Page } from '../ui/page.tsx';
import { Segmented } from '../ui/radio-group.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Panel } from '../ui/panel.tsx';
import { Buttons } from './buttons.tsx';
import { Choices } from './choices.tsx';
import { Fields, Numbers } from './fields.tsx';
import { Overlays } from './overlays.tsx';
import { Sentences } from './sentences.tsx';
import { Figures, States, TypeScale } from './states.tsx';
import { Tables } from './tables.tsx';

/** What checks a form is heavy: pages load it with the form. */
const Forms = lazy(async () => ({ default: (await import('./forms.tsx')).Forms }));

/** The choices that style every part. */
function Looks(): ReactElement {
  const text = useText();
  const { theme, direction, palette, density, set } = useSettings();
  return (
    <div className="flex flex-wrap gap-2">
      <Segmented
        size="small"
        label={text('settings.theme')}
        value={theme}
        choices={themes.map((value) => ({ value, label: text(`settings.theme.${value}`) }))}
        onChange={(value) => set('theme', value)}
      />
      <Segmented
        size="small"
        label={text('settings.direction')}
        value={direction}
        choices={directions.map((value) => ({ value, label: text(`settings.direction.${value}`) }))}
        onChange={(value) => set('direction', value)}
      />
      <Segmented
        size="small"
        label={text('settings.palette')}
        value={palette}
        choices={palettes.map((value) => ({ value, label: text(`settings.palette.${value}`) }))}
        onChange={(value) => set('palette', value)}
      />
      <Segmented
        size="small"
        label={text('settings.density')}
        value={density}
        choices={densities.map((value) => ({ value, label: text(`settings.density.${value}`) }))}
        onChange={(value) => set('density', value)}
      />
    </div>
  );
}

export function GalleryPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('gallery.title')} lead={text('gallery.lead')} actions={<Looks />}>
      <Buttons />
      <Fields />
      <Numbers />
      <Choices />
      <Panel loading={<Skeleton className="mb-5 h-40 w-full" />}>
        <Forms />
      </Panel>
      <Figures />
      <TypeScale />
      <States />
      <Tables />
      <Sentences />
      <Overlays />
    </Page>
  );
}
