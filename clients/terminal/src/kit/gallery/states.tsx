import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, FailedState } from '../ui/empty-state.tsx';
import { Figure } from '../ui/figure.tsx';
import { Hash } from '../ui/hash.tsx';
import { Notice } from '../ui/notice.tsx';
import { Fact, Facts } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { showError, showInfo, showSuccess } from '../ui/toast.ts';
import { Row, Specimen } from './specimen.tsx';

export function States(): ReactElement {
  const text = useText();
  const sentence = text('gallery.sentence');
  return (
    <Specimen title="gallery.states">
      {(['info', 'warn', 'error', 'ok'] as const).map((tone) => (
        <Notice key={tone} tone={tone}>
          {sentence}
        </Notice>
      ))}
      <Row>
        {(['done', 'waiting', 'failed', 'neutral'] as const).map((tone) => (
          <StateTag key={tone} tone={tone}>
            {text('gallery.label')}
          </StateTag>
        ))}
        <Spinner />
        <Skeleton />
        <Button size="small" onClick={() => showSuccess('gallery.saved', { detail: sentence })}>
          {text('gallery.saved')}
        </Button>
        <Button size="small" onClick={() => showError(text('gallery.failed'), sentence)}>
          {text('gallery.failed')}
        </Button>
        <Button size="small" onClick={() => showInfo(text('gallery.loading'), sentence)}>
          {text('gallery.loading')}
        </Button>
      </Row>
      {[undefined, 0, 40, 100].map((percent) => (
        <Progress key={percent ?? 'unknown'} label={text('gallery.loading')} percent={percent} />
      ))}
      <EmptyState>
        <p>{text('gallery.empty')}</p>
        <Button size="small" onClick={() => showInfo(text('gallery.action'))}>
          {text('gallery.action')}
        </Button>
      </EmptyState>
      <FailedState onRetry={() => showInfo(text('gallery.loading'))} />
    </Specimen>
  );
}

const VALUES = ['1500', '0.5', '1234.5678', '-12.5', '0'] as const;

export function Figures(): ReactElement {
  const text = useText();
  return (
    <Specimen title="gallery.figures">
      <Facts>
        {VALUES.map((value) => (
          <Fact key={value} term={value}>
            <Row>
              <Figure value={value} decimals={2} unit="USDC" />
              <Figure value={value} decimals={6} unit="BTC" />
              <Figure value={value} decimals={2} sign="always" tone="direction" unit="USDC" />
              <Figure value={value} />
            </Row>
          </Fact>
        ))}
        <Fact term={text('gallery.loading')}>
          <Figure value={undefined} decimals={2} unit="USDC" />
        </Fact>
        <Fact term={text('gallery.name')}>
          <Hash value="0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" />
        </Fact>
      </Facts>
    </Specimen>
  );
}

const SIZES = ['text-2xl', 'text-xl', 'text-lg', 'text-md', 'text-sm'] as const;

export function TypeScale(): ReactElement {
  const text = useText();
  return (
    <Specimen title="gallery.type">
      {SIZES.map((size) => (
        <p key={size} className={size}>
          {text('gallery.sentence')} 1,234.56
        </p>
      ))}
      <p className="text-md">
        <span className="text-fg">{text('gallery.first')} </span>
        <span className="text-fg2">{text('gallery.second')} </span>
        <span className="text-fg3">{text('gallery.third')} </span>
        <a className="text-link" href="#content">
          {text('app.skip')}
        </a>
      </p>
    </Specimen>
  );
}
