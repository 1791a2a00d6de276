/** Perpetual contracts among the markets of the page: a market of spot may have the same name, so a contract's is marked. */
const PERPETUAL = '-PERP';

export const perpetual = (wire: string): string => `${wire}${PERPETUAL}`;
export const isPerpetual = (symbol: string): boolean => symbol.endsWith(PERPETUAL);
/** What the exchange calls it. */
export const wireOf = (symbol: string): string => (isPerpetual(symbol) ? symbol.slice(0, -PERPETUAL.length) : symbol);
