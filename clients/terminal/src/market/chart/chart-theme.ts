/** Reads the tokens of the page for the canvas, which cannot resolve variables itself, and reports when they change. */
import { useSyncExternalStore } from 'react';
import type { ChartTheme } from './chart-port.ts';

const TOKENS = ['--panel', '--fg', '--fg3', '--line', '--up', '--down', '--on-direction', '--warn'] as const;
/** Lines of indicators: distinct from up, down and each other on both themes. */
const SERIES = {
  dark: ['#e8b64c', '#9db2ff', '#d48fd0', '#7fc7c2', '#b9bcae'],
  light: ['#8a6200', '#3450c8', '#8b3a86', '#0f6f6a', '#5f645a'],
};
/** Without hues, which blue and orange of the directions would meet: distinct by lightness and by their dashes. */
const NEUTRAL_SERIES = {
  dark: ['#eceae3', '#a9aba2', '#eceae3', '#8b8f85', '#c9cac1'],
  light: ['#161814', '#5f645a', '#161814', '#7a7e75', '#33362f'],
};
const WHOLE = [[], [], [], [], []] as const;
const NEUTRAL_DASHES = [[], [], [6, 3], [2, 2], [8, 3]] as const;

function read(): ChartTheme {
  const style = getComputedStyle(document.documentElement);
  const [background, text, label, line, up, down, ink, risk] = TOKENS.map((token) => style.getPropertyValue(token).trim());
  const { theme, palette } = document.documentElement.dataset;
  const isLight = theme === 'light';
  const isNeutral = palette === 'colourBlind';
  const lines = isNeutral ? NEUTRAL_SERIES : SERIES;
  return {
    background: background ?? '',
    text: text ?? '',
    label: label ?? '',
    line: line ?? '',
    up: up ?? '',
    down: down ?? '',
    ink: ink ?? '',
    risk: risk ?? '',
    grid: isLight ? '#00000010' : '#ffffff0a',
    series: isLight ? lines.light : lines.dark,
    dashes: isNeutral ? NEUTRAL_DASHES : WHOLE,
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
