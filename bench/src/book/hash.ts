/** The fingerprint of a book: FNV-1a over every level from the lowest price, with its orders in priority order. */
export interface RestingLevel {
  readonly side: 0 | 1;
  readonly price: number;
  readonly orders: readonly { readonly id: number; readonly size: number }[];
}

export function bookHash(levels: readonly RestingLevel[]): string {
  let hash = 0x811c9dc5;
  const mix = (value: number): void => {
    for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((value >>> shift) & 255), 0x01000193);
  };
  for (const { side, price, orders } of levels.toSorted((left, right) => left.price - right.price || left.side - right.side)) {
    mix(side);
    mix(price);
    mix(orders.length);
    mix(orders.reduce((sum, order) => sum + order.size, 0));
    for (const order of orders) {
      mix(order.id);
      mix(order.size);
    }
  }
  return (hash >>> 0).toString(16);
}
