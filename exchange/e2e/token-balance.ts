/** What an address holds of a token, read from the chain itself. */
import { createPublicClient, erc20Abi, http, type Hex } from 'viem';

export async function tokenBalance(url: string, { coin, owner }: { readonly coin: string; readonly owner: Hex }): Promise<bigint> {
  const response = await fetch(`${url}/pro/p/chain/contracts`);
  const { data } = (await response.json()) as { data: { tokens: readonly { coin: string; address: Hex }[] } };
  const token = data.tokens.find((candidate) => candidate.coin === coin);
  if (token === undefined) throw new Error(`the exchange knows no contract of ${coin}`);
  return createPublicClient({ transport: http(`${url}/rpc`) }).readContract({
    address: token.address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  });
}
