/** Money of a fund as the API writes and moves it. */
import type { Client } from '@orrery/sdk';
import { atoms, parseDecimal, printDecimal } from '@orrery/units';

export const SETTLE = 'USDC';
export const SETTLE_DECIMALS = 6;
/** What is worth less is not moved between wallets: 10 USDC. */
export const LEAST_MOVE = 10_000_000n;

/** Atoms of the settle asset, below zero too. */
export const money = (text: string): bigint => signed(text, SETTLE_DECIMALS);

/** Whole parts of a decimal text; finer ones are left out, towards zero. */
export function signed(text: string, decimals: number): bigint {
  const [whole = '0', part = ''] = text.replace(/^-/, '').split('.');
  const digits = part.slice(0, decimals).padEnd(decimals, '0');
  const size = parseDecimal(decimals === 0 ? whole : `${whole}.${digits}`, decimals) ?? 0n;
  return text.startsWith('-') ? 0n - size : size;
}

/** Shorter than the time between two rounds. */
const NAMED_MS = 4_000;

/** What is asked twice in one has one name, and happens once. */
export const moment = (): number => Math.floor(Date.now() / NAMED_MS);

type Wallet = 'funding' | 'spot' | 'futures';
type Balances = Awaited<ReturnType<Client['balances']>>;

/** Free money of a wallet. */
export const freeIn = (balances: Balances, wallet: Wallet): bigint =>
  money(balances.find(({ coin, balanceType }) => coin === SETTLE && balanceType === wallet)?.availableBalance ?? '0');

interface Move {
  readonly amount: bigint;
  readonly from: Wallet;
  readonly to: 'spot' | 'futures';
}

/** @throws CallError when it is refused, or its answer is unknown */
export async function moveMoney(client: Client, { amount, from, to }: Move): Promise<void> {
  const transferId = `fund-${moment()}-${from}-${to}-${amount}`;
  await client.transfer({ coin: SETTLE, amount: printDecimal(atoms(amount), SETTLE_DECIMALS), from, to, transferId });
}
