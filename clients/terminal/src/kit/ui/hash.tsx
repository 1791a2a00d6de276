import type { ReactElement } from 'react';
import { shortHash } from '../format/hash.ts';
import { CopyButton } from './copy-button.tsx';

/** A hash or address, shortened; the whole of it on hover and in the copy. */
export function Hash({ value }: { readonly value: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-0.5">
      <span title={value} className="font-mono text-sm">
        {shortHash(value)}
      </span>
      <CopyButton value={value} />
    </span>
  );
}
