/** How far the price under the pointer is from the last one, beside the crosshair. */
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import type { ChartPort } from './chart-port.ts';
import { distanceText } from './distance.ts';

/** Pixels from the crosshair to the label above it. */
const ABOVE = 20;

/** Written into the page without React: a pointer moves sixty times a second. */
export function DistanceLabel({ port }: { readonly port: ChartPort }): ReactElement {
  const label = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const hide = (): void => {
      if (label.current !== null) label.current.hidden = true;
    };
    port.onPoint((place) => {
      const { current } = label;
      const words = place?.last === undefined ? undefined : distanceText(Number(place.price), place.last);
      if (current === null || place === undefined || words === undefined) return hide();
      current.hidden = false;
      current.textContent = words;
      current.style.transform = `translateY(${Math.max(0, place.y - ABOVE)}px)`;
    });
    const chart = label.current?.parentElement;
    chart?.addEventListener('pointerleave', hide);
    return () => {
      port.onPoint(() => undefined);
      chart?.removeEventListener('pointerleave', hide);
    };
  }, [port]);
  return (
    <span
      ref={label}
      hidden
      aria-hidden="true"
      className="pointer-events-none absolute top-0 inset-e-20 rounded-sm bg-raised px-1 text-sm text-fg2"
    />
  );
}
