/** Holds a failure to the part of the page in which it happened. React has no hook for it: it is a class. */
import { Component } from 'react';
import type { ReactNode } from 'react';

export interface Failure {
  readonly error: unknown;
  /** Tries the part again. */
  readonly retry: () => void;
}

export interface BoundaryProps {
  /** What stands in place of the part. */
  readonly renderFailure: (failure: Failure) => ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly failure?: { readonly error: unknown } | undefined;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } };
  }

  override state: BoundaryState = {};

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return this.props.renderFailure({ ...failure, retry: () => this.setState({ failure: undefined }) });
  }
}
