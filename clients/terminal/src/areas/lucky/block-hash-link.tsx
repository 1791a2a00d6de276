import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shortHash } from '../../kit/format/hash.ts';

/** A block's hash, leading to the block: the hash is what makes it lucky. */
export function BlockHashLink({ number, hash }: { readonly number: number; readonly hash: string }): ReactElement {
  return (
    <Link
      to="/explorer/block/$number"
      params={{ number: String(number) }}
      title={hash}
      className="font-mono text-focus hover:underline text-sm"
    >
      {shortHash(hash)}
    </Link>
  );
}
