import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shortHash } from '../../kit/format/hash.ts';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { useAddressName } from './use-address-name.ts';

interface Shown {
  /** Writes the whole of it, where there is room. */
  readonly whole?: boolean;
}

export function AddressLink({ address, whole = false }: Shown & { readonly address: string }): ReactElement {
  const name = useAddressName()(address);
  if (name !== undefined && !whole) {
    return (
      <Link to="/explorer/address/$address" params={{ address }} title={address} className="text-focus hover:underline">
        {name}
      </Link>
    );
  }
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <Link
        to="/explorer/address/$address"
        params={{ address }}
        title={address}
        className="min-w-0 font-mono text-focus hover:underline text-sm break-all"
      >
        {whole ? address : shortHash(address)}
      </Link>
      {whole && <CopyButton value={address} />}
      {name !== undefined && <span className="ms-1 text-sm text-fg2">{name}</span>}
    </span>
  );
}

/** An address that stands beside its name already. */
export function ContractLink({ address }: { readonly address: string }): ReactElement {
  return (
    <Link to="/explorer/address/$address" params={{ address }} title={address} className="font-mono text-sm text-focus hover:underline">
      {shortHash(address)}
    </Link>
  );
}

export function BlockLink({ number }: { readonly number: number }): ReactElement {
  return (
    <Link to="/explorer/block/$number" params={{ number: String(number) }} className="text-focus hover:underline">
      {number}
    </Link>
  );
}

export function TxLink({ hash, whole = false }: Shown & { readonly hash: string }): ReactElement {
  return (
    <Link to="/explorer/tx/$hash" params={{ hash }} title={hash} className="font-mono text-focus hover:underline text-sm break-all">
      {whole ? hash : shortHash(hash)}
    </Link>
  );
}

/** A long hex text that nothing leads to. */
export function Hex({ value }: { readonly value: string }): ReactElement {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="min-w-0 font-mono text-sm break-all">{value}</span>
      <CopyButton value={value} />
    </span>
  );
}
