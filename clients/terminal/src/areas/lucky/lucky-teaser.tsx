import { LUCKY_BLOCK_POINTS } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Teaser } from '../rewards/teaser.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { NextWinners } from './next-winners.tsx';

export function LuckyTeaser(): ReactElement {
  const text = useText();
  const format = useFormat();
  const action = (
    <LinkButton to="/rewards/lucky-block" size="small">
      {text('lucky.open')}
    </LinkButton>
  );
  return (
    <Teaser title={text('lucky.title')} action={action}>
      <div>
        <p className="mb-1">{text('lucky.teaser', { points: format.number(String(LUCKY_BLOCK_POINTS)) })}</p>
        <NextWinners />
      </div>
    </Teaser>
  );
}
