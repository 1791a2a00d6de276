/** For tests: a chain, an exchange and a database of their own around each test of a file. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openDatabase, World } from './world.ts';

/** Of the test that runs. */
export let world: World;

export function inAWorld(options: Parameters<typeof openDatabase>[0] = {}): void {
  let db: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    db = await openDatabase(options);
  });
  beforeEach(async () => {
    world = await World.open(db);
  });
  afterEach(() => world.close());
  afterAll(() => db.close());
}
