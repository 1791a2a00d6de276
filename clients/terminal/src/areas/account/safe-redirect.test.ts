import { describe, expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

const ORIGIN = 'https://orrery.example';

describe('[R2] where a log-in leads', () => {
  test.each(['/portfolio', '/trade/spot/BTC_USDC?from=app', '/account/api#keys'])(
    '[R2] the path %s of this site is followed',
    (redirect) => {
      expect(safeRedirect(redirect, ORIGIN)).toBe(redirect);
    },
  );

  test.each([
    undefined,
    '',
    'portfolio',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    'https://evil.example',
    'https://orrery.example@evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /portfolio',
    '/\u0000',
    '/a\\b',
  ])('[R2] %j leads home', (redirect) => {
    expect(safeRedirect(redirect, ORIGIN)).toBe('/');
  });
});
