/** Which session this device remembers for which address. Handles only: a handle names a session and opens nothing. */
import type { Stored } from '../../kit/storage/stored.ts';

type Table = Readonly<Record<string, string>>;

export interface SessionMemoryStores {
  readonly tokenToAddress: Stored<Table>;
  readonly previousAddressToToken: Stored<Table>;
  readonly walletAddress: Stored<string>;
  readonly tradingEndTime: Stored<number>;
}

export interface RememberedSession {
  readonly address: string;
  readonly handle: string;
  readonly endsAt: number;
}

export interface SessionMemory {
  readonly remember: (session: RememberedSession) => void;
  /** The handle remembered for an address, in use or used before. */
  readonly handleOf: (address: string) => string | undefined;
  readonly forget: (address: string) => void;
}

const without = (table: Table, name: string): Table => Object.fromEntries(Object.entries(table).filter(([key]) => key !== name));

export function createSessionMemory(stores: SessionMemoryStores): SessionMemory {
  const handleOf = (address: string): string | undefined => {
    const handle = stores.previousAddressToToken.read()[address];
    // A handle counts only when it was issued for this very address.
    return handle !== undefined && stores.tokenToAddress.read()[handle] === address ? handle : undefined;
  };
  return {
    handleOf,
    remember({ address, handle, endsAt }) {
      const before = stores.previousAddressToToken.read()[address];
      const kept = before === undefined ? stores.tokenToAddress.read() : without(stores.tokenToAddress.read(), before);
      stores.tokenToAddress.write({ ...kept, [handle]: address });
      stores.previousAddressToToken.write({ ...stores.previousAddressToToken.read(), [address]: handle });
      stores.walletAddress.write(address);
      stores.tradingEndTime.write(endsAt);
    },
    forget(address) {
      const handle = stores.previousAddressToToken.read()[address];
      if (handle !== undefined) stores.tokenToAddress.write(without(stores.tokenToAddress.read(), handle));
      stores.previousAddressToToken.write(without(stores.previousAddressToToken.read(), address));
      if (stores.walletAddress.read() === address) stores.tradingEndTime.clear();
    },
  };
}
