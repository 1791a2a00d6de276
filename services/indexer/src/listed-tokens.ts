/** The tokens that are both in the vault and in the ledger: the only ones that count as money. */
import type { Deployment } from '@orrery/contracts';
import type { Event } from '@orrery/protocol';
import type { Address, AssetId } from '@orrery/units';
import { lowerCase } from './chain-block.ts';

export interface ListedToken {
  readonly coin: string;
  readonly asset: AssetId;
  readonly decimals: number;
  readonly address: Address;
  /** Paid out as the chain's own coin. */
  readonly native: boolean;
}

export class ListedTokens {
  readonly all: readonly ListedToken[];
  readonly #byAddress: ReadonlyMap<string, ListedToken>;
  readonly #byAsset: ReadonlyMap<number, ListedToken>;

  /** @throws when a token counts in other decimals than the asset of its name: every amount would be wrong. */
  constructor(deployment: Deployment, facts: readonly Event[]) {
    this.all = deployment.tokens.flatMap(({ code, address, decimals }) => {
      const asset = facts.find((fact) => fact.type === 'AssetRegistered' && fact.code === code);
      if (asset?.type !== 'AssetRegistered' || asset.kind !== 'chain') return [];
      if (asset.decimals !== decimals) throw new Error(`${code} has ${decimals} decimals on the chain and ${asset.decimals} in the ledger`);
      const native = lowerCase(address) === lowerCase(deployment.wrappedNative);
      return [{ coin: code, asset: asset.asset, decimals, address: lowerCase(address), native }];
    });
    this.#byAddress = new Map(this.all.map((token) => [token.address, token]));
    this.#byAsset = new Map(this.all.map((token) => [token.asset, token]));
  }

  at(address: string): ListedToken | undefined {
    return this.#byAddress.get(address);
  }

  ofAsset(asset: number): ListedToken | undefined {
    return this.#byAsset.get(asset);
  }
}
