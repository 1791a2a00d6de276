/** A worker of the feed that never speaks: for what needs no market data. Imported before anything that opens the feed. */
import { vi } from 'vitest';

class SilentWorker {
  postMessage(): void {}
  addEventListener(): void {}
  terminate(): void {}
}

vi.stubGlobal('Worker', SilentWorker);
