/** A panel around what is read: its skeleton, its failure with the way to try again, and how old it is where it could not be read again. */
import type { ReactElement, ReactNode } from 'react';
import { FailedState } from './empty-state.tsx';
import type { Loaded } from './loaded.ts';
import { Panel } from './panel.tsx';
import { StaleNote } from './stale-note.tsx';

export interface LoadedPanelProps<Value> {
  readonly read: Loaded<Value>;
  /** In its place while it comes; nothing when left out. */
  readonly loading?: ReactNode;
  readonly children: (value: Value) => ReactNode;
}

export function LoadedPanel<Value>({ read, loading = null, children }: LoadedPanelProps<Value>): ReactElement {
  return (
    <Panel loading={loading}>
      {read.phase === 'failed' ? <FailedState onRetry={read.retry} /> : <Inside read={read} loading={loading} render={children} />}
      <StaleNote read={read} />
    </Panel>
  );
}

interface InsideProps<Value> {
  readonly read: Loaded<Value>;
  readonly loading: ReactNode;
  readonly render: (value: Value) => ReactNode;
}

/** Inside the panel's boundary: what is made of the value may throw. */
const Inside = <Value,>({ read, loading, render }: InsideProps<Value>): ReactNode =>
  read.value === undefined ? loading : render(read.value);
