/** The keys of the chart. They move the view and what is drawn; orders are changed by key in the table of open orders. */
import type { Bar } from '../../platform/feed/bars.ts';
import type { ChartPort } from './chart-port.ts';

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** @returns whether the key is one of the chart's; `bar` is the one that the crosshair was moved to. */
export function pressChartKey(port: ChartPort, { key, shiftKey }: KeyPress): { readonly bar: Bar | undefined } | undefined {
  const bar = shiftKey ? inspect(port, key) : undefined;
  if (bar !== undefined) return { bar };
  return moveBy(port, key) ? { bar: undefined } : undefined;
}

function inspect(port: ChartPort, key: string): Bar | undefined {
  if (key === 'ArrowLeft') return port.inspectBy(-1);
  return key === 'ArrowRight' ? port.inspectBy(1) : undefined;
}

function moveBy(port: ChartPort, key: string): boolean {
  switch (key) {
    case 'ArrowLeft':
      port.scrollBy(-10);
      return true;
    case 'ArrowRight':
      port.scrollBy(10);
      return true;
    case '+':
    case '=':
      port.zoomBy(1.25);
      return true;
    case '-':
      port.zoomBy(0.8);
      return true;
    case 'End':
      port.scrollToNow();
      return true;
    case 'Delete':
    case 'Backspace':
      port.drawings.removeSelected();
      return true;
    case 'Escape':
      port.drawings.cancel();
      return true;
    default:
      return false;
  }
}
