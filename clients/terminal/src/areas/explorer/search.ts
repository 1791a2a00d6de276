/** What a typed search means: a transaction, a block or an address. */
export type ExplorerTarget =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'block'; readonly number: string }
  | { readonly kind: 'address'; readonly address: string };

export function explorerTarget(typed: string): ExplorerTarget | undefined {
  const text = typed.trim();
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'transaction', hash: text.toLowerCase() };
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return { kind: 'address', address: text.toLowerCase() };
  const digits = text.replace(/[\s,]/g, '');
  return /^[0-9]{1,15}$/.test(digits) ? { kind: 'block', number: String(Number(digits)) } : undefined;
}
