import { expect, test } from 'vitest';
import { Boundary } from './boundary.tsx';
import type { Failure } from './boundary.tsx';

function boundaryOf(children: string) {
  const failures: Failure[] = [];
  const boundary = new Boundary({ children, renderFailure: (failure) => (failures.push(failure), 'Try again') });
  boundary.setState = (next) => void (boundary.state = next as Boundary['state']);
  return { boundary, failures };
}

test('a part that failed is replaced, by what is said of its failure, until it is tried again', () => {
  const { boundary, failures } = boundaryOf('the order book');
  expect(boundary.render()).toBe('the order book');
  const error = new Error('no such level');
  boundary.setState(Boundary.getDerivedStateFromError(error));
  expect(boundary.render()).toBe('Try again');
  expect(failures.map((failure) => failure.error)).toEqual([error]);
  failures[0]?.retry();
  expect(boundary.render()).toBe('the order book');
});

test.each([undefined, null, 0, ''])('whatever was thrown is a failure, %j too', (thrown) => {
  const { boundary } = boundaryOf('the ticket');
  boundary.setState(Boundary.getDerivedStateFromError(thrown));
  expect(boundary.render()).toBe('Try again');
});
