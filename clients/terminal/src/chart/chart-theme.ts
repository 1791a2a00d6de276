/** Reads the tokens of the page for the canvas, which cannot resolve variables itself, and reports when they change. */
import { useSyncExternalStore } from 'react';
import type { ChartTheme } from './chart-port.ts';

const TOKENS = ['--panel', '--fg', '--fg3', '--line', '--up', '--down', '--on-direction'] as const;
/** Lines of indicators: distinct from up, down and each other on both themes. */
const SERIES = {
  dark: ['#e8b64c', '#9db2ff', '#d48fd0', '#7fc7c2', '#b9bcae'],
  light: ['#8a6200', '#3450c8', '#8b3a86', '#0f6f6a', '#5f645a'],
};

function read(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const [background, text, label, line, up, down, ink] = TOKENS.map((token) => style.getPropertyValue(token).trim());
  const isLight = document.documentElement.dataset['theme'] === 'light';
  return {
    background: background ?? '',
    text: text ?? '',
    label: label ?? '',
    line: line ?? '',
    up: up ?? '',
    down: down ?? '',
    ink: ink ?? '',
    grid: isLight ? '#00000010' : '#ffffff0a',
    series: isLight ? SERIES.light : SERIES.dark,
    fontFamily: getComputedStyle(document.body).fontFamily,
  };
}

let current: ChartTheme | undefined;

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(() => {
    current = undefined;
    listener();
  });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-direction', 'data-palette'] });
  return () => observer.disconnect();
}

export function useChartTheme(): ChartTheme {
  return useSyncExternalStore(subscribe, () => (current ??= read()));
}
