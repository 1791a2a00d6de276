import { HeartError, type HeartFailure } from '@orrery/protocol';
import { describe, expect, test } from 'vitest';
import { refusalOf } from './refuse.ts';

const failed = (failure: HeartFailure, outcomeUnknown: boolean) => {
  const { data, status, retryAfterSeconds } = refusalOf(new HeartError({ failure, outcomeUnknown, message: 'the wire is cut' }));
  return { reason: data.reason, status, retryAfterSeconds };
};

describe('a command that the heart did not answer', () => {
  test('may have become history: the caller is answered so, and no time after which to do it again', () => {
    expect(failed('stopped', true)).toEqual({ reason: 'OutcomeUnknown', status: 504, retryAfterSeconds: undefined });
  });

  test.each([
    ['stopped', 'NotNow'],
    ['overloaded', 'Overloaded'],
    ['cancelsOnly', 'DiskFull'],
    ['readOnly', 'NotNow'],
  ] as const)('was not taken (%s): the same call may succeed soon', (failure, reason) => {
    expect(failed(failure, false)).toEqual({ reason, status: 503, retryAfterSeconds: 1 });
  });
});
