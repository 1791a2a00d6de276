/** The manager of one fund by itself: `node clients/fund-manager/src/main.ts`, with the exchange, the strategy and the key from the environment. */
import { runFundManager, STRATEGIES } from './manager.ts';

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    console.error(`fund-manager: ${name} is missing`);
    process.exit(1);
  }
  return value;
}

const wanted = needed('FUND_STRATEGY');
const strategy = STRATEGIES.find((one) => one === wanted);
if (strategy === undefined) {
  console.error(`fund-manager: FUND_STRATEGY is one of ${STRATEGIES.join(', ')}`);
  process.exit(1);
}
const manager = runFundManager({
  baseUrl: needed('ORRERY_URL'),
  funds: [{ strategy, accessKey: needed('FUND_ACCESS_KEY'), secret: needed('FUND_SECRET') }],
  log: (line) => console.error(`fund-manager: ${line}`),
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void manager.stop());
