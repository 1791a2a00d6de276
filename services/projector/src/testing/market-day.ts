/** For tests: a seeded day of trading on the real engine. */
import type { Command, Heart, OrderType, Side, TimeInForce } from '@orrery/protocol';
import { accountId, type Address, assetId, atoms, lots, marketId, orderId, ppm, ticks } from '@orrery/units';

export const PEOPLE = 5;
const USDC = assetId(1);
const BTC = assetId(2);
const BTC_USDC = marketId(1);

/** Mulberry32: small, seeded, good enough to shuffle a market. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const addressOf = (person: number): Address => `0x${String(person).padStart(40, '0')}` as Address;

/** Everybody may trade and has money; the market has a price. */
export async function openMarket(heart: Heart): Promise<void> {
  await heart.submit({ type: 'SetIndexPrice', market: BTC_USDC, price: ticks(1_000_000) });
  for (let person = 1; person <= PEOPLE; person++) {
    await heart.submit({ type: 'OpenAccount', address: addressOf(person) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) {
      await heart.submit({ type: 'SetAccountFlag', account: accountId(person), flag, value: true });
    }
    for (const [asset, amount] of [
      [USDC, 10n ** 13n],
      [BTC, 10n ** 10n],
    ] as const) {
      await heart.submit({
        type: 'CreditDeposit',
        key: `138565:0x${person}:${asset}`,
        address: addressOf(person),
        asset,
        amount: atoms(amount),
      });
      await heart.submit({
        type: 'Transfer',
        account: accountId(person),
        transferId: `first-${asset}`,
        asset,
        amount: atoms(amount / 2n),
        from: 'funding',
        to: 'spot',
      });
    }
  }
}

/** Commands as people give them, refused ones among them. */
export async function trade(
  heart: Heart,
  options: { readonly random: () => number; readonly commands: number; readonly label: string },
): Promise<void> {
  const { random } = options;
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];
  let withdrawals = 0;
  for (let n = 0; n < options.commands; n++) {
    const account = accountId(1 + below(PEOPLE));
    const kind = below(100);
    if (kind < 70) await heart.submit(order(account, n));
    else if (kind < 85) await heart.submit({ type: 'CancelOrder', account, orderId: orderId(1 + below(500)), clientOrderId: '' });
    else if (kind < 88) await heart.submit({ type: 'CancelAllOrders', account, market: BTC_USDC });
    else if (kind < 91)
      await heart.submit({
        type: 'AmendOrder',
        account,
        orderId: orderId(1 + below(500)),
        clientOrderId: '',
        price: ticks(999_000 + below(2_000)),
        size: lots(0),
      });
    else if (kind < 95) {
      await heart.submit({
        type: 'Transfer',
        account,
        transferId: `${options.label}-${n}`,
        asset: pick([USDC, BTC]),
        amount: atoms(BigInt(1 + below(1_000_000))),
        from: pick(['funding', 'spot']),
        to: pick(['funding', 'spot']),
      });
    } else if (kind < 98) await withdraw(account);
    else
      await heart.submit({
        type: 'CreditDeposit',
        key: `138565:${options.label}:${n}`,
        address: addressOf(1 + below(PEOPLE)),
        asset: USDC,
        amount: atoms(BigInt(1 + below(1_000_000))),
      });
  }

  function order(account: ReturnType<typeof accountId>, n: number): Command {
    const orderType = pick<OrderType>(['limit', 'limit', 'limit', 'market', 'stopLimit']);
    const side = pick<Side>(['buy', 'sell']);
    const price = ticks(999_000 + below(2_000));
    return {
      type: 'PlaceOrder',
      account,
      market: BTC_USDC,
      clientOrderId: below(3) === 0 ? `${options.label}-${n}` : '',
      side,
      orderType,
      timeInForce: orderType === 'market' ? 'IOC' : pick<TimeInForce>(['GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTX']),
      price: orderType === 'market' ? ticks(0) : price,
      size: lots(1_000 + below(20_000)),
      funds: atoms(0n),
      triggerPrice: orderType === 'stopLimit' ? ticks(999_000 + below(2_000)) : ticks(0),
      slippagePpm: ppm(0),
      selfTradePrevention: pick(['expireTaker', 'expireMaker', 'expireBoth', 'decrement']),
    };
  }

  async function withdraw(account: ReturnType<typeof accountId>): Promise<void> {
    withdrawals += 1;
    const withdrawalId = `0x${Buffer.from(`${options.label}${withdrawals}`).toString('hex').padStart(64, '0')}`;
    await heart.submit({
      type: 'RequestWithdrawal',
      account,
      withdrawalId,
      asset: USDC,
      amount: atoms(BigInt(1 + below(1_000_000))),
      to: addressOf(99),
    });
    if (below(2) === 0) await heart.submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
    const end = below(4);
    if (end < 2) await heart.submit({ type: 'PostWithdrawal', withdrawalId, txHash: `0x${'a'.repeat(64)}` });
    else if (end === 2) await heart.submit({ type: 'RefundWithdrawal', withdrawalId });
  }
}
