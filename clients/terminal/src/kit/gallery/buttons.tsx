import { Settings } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import type { ButtonKind } from '../ui/button-classes.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { showInfo } from '../ui/toast.ts';
import { Row, Specimen } from './specimen.tsx';

const KINDS: readonly ButtonKind[] = ['primary', 'secondary', 'quiet', 'danger', 'up', 'down'];

export function Buttons(): ReactElement {
  const text = useText();
  const action = text('gallery.action');
  const press = (): void => showInfo(action);
  return (
    <Specimen title="gallery.buttons">
      {(['large', 'medium', 'small'] as const).map((size) => (
        <Row key={size}>
          {KINDS.map((kind) => (
            <Button key={kind} kind={kind} size={size} onClick={press}>
              {action}
            </Button>
          ))}
        </Row>
      ))}
      <Row>
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind} disabled>
            {text('gallery.disabled')}
          </Button>
        ))}
      </Row>
      <Row>
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind} busy>
            {action}
          </Button>
        ))}
      </Row>
      <Row>
        <IconButton label={text('nav.settings')} onClick={press}>
          <Settings size={16} />
        </IconButton>
        <IconButton label={text('gallery.disabled')} disabled>
          <Settings size={16} />
        </IconButton>
        <CopyButton value="0x1234" />
      </Row>
    </Specimen>
  );
}
