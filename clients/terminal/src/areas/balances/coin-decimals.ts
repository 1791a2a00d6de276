/** How many decimals an amount of a coin is shown with, the same on every page; what is smaller is in its title. Fees of coin-margined contracts are small parts of a BTC. */
const decimals: Readonly<Record<string, number>> = { USDC: 2, PRACTICE: 2, BTC: 8, ETH: 5, BNB: 4, SOL: 4, WSOSO: 2, SOSO: 2 };
const OTHERS = 4;

export const coinDecimals = (coin: string): number => decimals[coin] ?? OTHERS;
