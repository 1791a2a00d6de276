import type { ReactElement } from 'react';
import { shortHash } from '../../kit/format/hash.ts';
import { newTab } from '../../platform/client/in-app.ts';

/** A chain transaction, opened in a new tab: the page it belongs to stays. */
export function TransactionLink({ hash }: { readonly hash: string }): ReactElement {
  return (
    <a href={`/explorer/tx/${hash}`} title={hash} className="font-mono text-focus hover:underline text-sm" {...newTab}>
      {shortHash(hash)}
    </a>
  );
}
