/** Before the markets are known: the geometry of the page, so that nothing jumps when they come. */
import type { ReactElement } from 'react';
import { Skeleton } from '../../../ui/skeleton.tsx';

export function LoadingLayout({ pair }: { readonly pair: string }): ReactElement {
  return (
    <main aria-busy="true" className="flex min-h-[560px] grow flex-col">
      <div className="flex h-12 shrink-0 items-center gap-6 border-b border-line bg-page px-4">
        <h1 className="text-lg font-semibold">{pair}</h1>
        <Skeleton className="h-4 w-24" />
        <Skeleton className="w-16" />
        <Skeleton className="w-16" />
        <Skeleton className="w-16" />
      </div>
      <div className="grid grow grid-cols-1 divide-x divide-line bg-panel tablet:grid-cols-[minmax(0,1fr)_264px] laptop:grid-cols-[minmax(0,1fr)_264px_304px]">
        <div />
        <div className="flex flex-col gap-3 p-3 max-tablet:hidden">
          {Array.from({ length: 18 }, (_, row) => (
            <Skeleton key={row} className="w-full" />
          ))}
        </div>
        <div className="flex flex-col gap-4 p-3 max-laptop:hidden">
          {Array.from({ length: 6 }, (_, row) => (
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </div>
      </div>
    </main>
  );
}
