/** Walks through pages of a list; the reader chooses how many rows a page has. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { IconButton } from './icon-button.tsx';
import { Select } from './select.tsx';

export const pageSizes = [10, 20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export interface Page {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: PageSize;
}

export const firstPage: Page = { page: 1, pageSize: 10 };

export interface PagerProps extends Page {
  /** The page whose rows are shown, where it may be another than the one asked for. */
  readonly shown?: Page | undefined;
  readonly total: number | undefined;
  readonly onChange: (page: Page) => void;
}

const choices = pageSizes.map((size) => ({ value: String(size), label: String(size) }));

export function Pager({ page, pageSize, shown = { page, pageSize }, total, onChange }: PagerProps): ReactElement {
  const text = useText();
  const known = total ?? 0;
  const lastPage = Math.max(1, Math.ceil(known / pageSize));
  // An address may name a page that the list has not, or has no longer.
  const isBeyond = total !== undefined && page > lastPage;
  useEffect(() => {
    if (isBeyond) onChange({ page: lastPage, pageSize });
  });
  const first = known === 0 ? 0 : (shown.page - 1) * shown.pageSize + 1;
  const last = Math.min(known, shown.page * shown.pageSize);
  const resize = (value: string): void => {
    const size = pageSizes.find((candidate) => String(candidate) === value);
    // Another page size starts again at the first page: the same page number would be other rows.
    if (size !== undefined) onChange({ page: 1, pageSize: size });
  };
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-4 py-2 text-sm text-fg2">
      <div className="flex items-center gap-2">
        <span aria-hidden="true">{text('ui.rowsPerPage')}</span>
        <Select label={text('ui.rowsPerPage')} size="small" value={String(pageSize)} choices={choices} onChange={resize} />
      </div>
      {total !== undefined && <span>{text('ui.pageRange', { first, last, total })}</span>}
      <div className="flex items-center gap-1">
        <IconButton label={text('ui.previousPage')} disabled={page <= 1} onClick={() => onChange({ page: page - 1, pageSize })}>
          <ChevronLeft size={16} />
        </IconButton>
        <IconButton label={text('ui.nextPage')} disabled={page >= lastPage} onClick={() => onChange({ page: page + 1, pageSize })}>
          <ChevronRight size={16} />
        </IconButton>
      </div>
    </div>
  );
}
