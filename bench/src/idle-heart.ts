/** What journals are measured with: one order again and again, on an engine that does nothing. */
import type { Command } from '@orrery/protocol';
import type { EngineFactory, Sequencer } from '@orrery/sequencer';
import { accountId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';
import { quantile } from './measure.ts';

export const IN_FLIGHT = [1, 64, 1_024];
export const RUN_MS = 2_000;
/** Of one order in a frame. */
export const ENTRY_BYTES = 42;

const order: Command = {
  type: 'PlaceOrder',
  account: accountId(7),
  market: marketId(1),
  clientOrderId: 'bench-0123456789',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(650_001),
  size: lots(300),
  funds: atoms(0n),
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
};

export const idleEngines: EngineFactory = {
  createEngine: () => ({
    apply: () => [],
    facts: () => [],
    continuation: () => undefined,
    due: () => undefined,
    mustWait: () => false,
    takeRunningHash: () => new Uint8Array(8),
    imbalance: () => undefined,
    stateLayouts: () => [1],
    encodeState: () => new Uint8Array(),
  }),
  decodeState: () => idleEngines.createEngine(),
};

/** Of what was acknowledged within `RUN_MS`, by this number of clients that each wait for their answer. */
export interface Acknowledged {
  readonly commandsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function submitFor(heart: Sequencer, inFlight: number): Promise<Acknowledged> {
  const waits: number[] = [];
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - start < RUN_MS) {
      const sent = performance.now();
      await heart.submit(order);
      waits.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  const commandsPerSecond = (waits.length * 1_000) / (performance.now() - start);
  return { commandsPerSecond, p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99) };
}
