/** The managers of funds: each has a key of the account of its fund, says that it is there, and follows its strategy round by round. */
import { Life } from '@orrery/market-maker';
import { ApiKeyCredentials, CallError, type Client, createClient } from '@orrery/sdk';
import { Carry } from './carry.ts';
import { Making } from './making.ts';

export const STRATEGIES = ['CARRY', 'MARKET_MAKER'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface ManagedFund {
  readonly strategy: Strategy;
  /** Of the account of the fund, with the rights to trade and to transfer. */
  readonly accessKey: string;
  readonly secret: string;
}

export interface FundManagerOptions {
  /** Origin of the exchange, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  readonly funds: readonly ManagedFund[];
  readonly log?: (line: string) => void;
}

export interface FundManager {
  /** Ends after the step that is being taken. What the funds have they keep. */
  stop(): Promise<void>;
}

/** Between two rounds: carry has time, and quotes follow a price. */
const ROUND_MS = { CARRY: 60_000, MARKET_MAKER: 3_000 } as const satisfies Record<Strategy, number>;
const STEP_MS = 250;
/** Until prices are known, as after a start of the exchange, and between two tries to hedge. */
const WAITING_MS = 5_000;
const CALL_TIMEOUT_MS = 10_000;
/** A fund whose account gives no command for an hour closes. */
const HEARTBEAT_MS = 5 * 60_000;

export function runFundManager({ baseUrl, funds, log = () => {} }: FundManagerOptions): FundManager {
  const life = new Life(log);
  const running = funds.map(async ({ strategy, ...key }) => {
    const client = createClient({ baseUrl, credentials: new ApiKeyCredentials(key), timeoutMs: CALL_TIMEOUT_MS });
    const say = (line: string): void => log(`${strategy}: ${line}`);
    const trader = strategy === 'CARRY' ? new Carry({ client, life, stepMs: STEP_MS, log: say }) : new Making({ client, life, log: say });
    await manage({ client, life, name: strategy, roundMs: ROUND_MS[strategy], trader });
  });
  return {
    async stop() {
      life.end();
      await Promise.all(running);
    },
  };
}

interface Trader {
  /** @returns false when the next round is to be soon */
  round(fundId: string): Promise<boolean>;
  /** Takes out what it has in the books. */
  end(): Promise<void>;
}

interface Managed {
  readonly client: Client;
  readonly life: Life;
  readonly name: string;
  readonly roundMs: number;
  readonly trader: Trader;
}

async function manage({ client, life, name, roundMs, trader }: Managed): Promise<void> {
  let [heardAt, fundId] = [Number.NEGATIVE_INFINITY, ''];
  const round = async (): Promise<boolean> => {
    // Before it trades: a manager that cannot trade is there all the same.
    if (performance.now() - heardAt >= HEARTBEAT_MS) {
      ({ fundId } = await client.fundHeartbeat({}));
      heardAt = performance.now();
    }
    return trader.round(fundId);
  };
  while (!life.isOver) {
    const isDone = await round().catch((error: unknown) => life.failed(`the manager of ${name}`, error).then(() => isRefusal(error)));
    await life.pause(isDone ? roundMs : Math.min(roundMs, WAITING_MS));
  }
  await trader.end();
}

/** What is refused now is refused in a moment. Where nothing was answered a leg may stand alone: that is looked at soon. */
const isRefusal = (error: unknown): boolean => error instanceof CallError && error.status < 500 && error.status !== 429;
