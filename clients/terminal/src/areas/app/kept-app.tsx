/** On every page that the service worker keeps: a newer version that waits, and where a click on a notification leads. */
import type { ReactElement } from 'react';
import { NewerVersion } from './newer-version.tsx';
import { useNoticePage } from './notice-page.tsx';

export function KeptApp(): ReactElement {
  useNoticePage();
  return <NewerVersion />;
}
