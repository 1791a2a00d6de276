/** Test tokens: one claim in 24 hours, paid on the chain into the claimer's funding account. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, Decimal, HashText, Millis, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

/** 0 may claim, 1 claiming, 2 claimed. */
export const ClaimStatus = Type.Enum([0, 1, 2]);
export type ClaimStatus = Static<typeof ClaimStatus>;

export const FaucetStatus = Type.Object({
  status: ClaimStatus,
  claimId: nullable(Type.String()),
  txHash: nullable(HashText),
  nextClaimTime: nullable(Millis),
  amounts: Type.Array(Type.Object({ coin: Coin, amount: Decimal })),
});
export type FaucetStatus = Static<typeof FaucetStatus>;

export const faucetRoutes = routes({
  claim: {
    method: 'POST',
    path: '/faucet/api/claim',
    access: 'session',
    rate: 'faucet',
    summary: "Claim the test tokens; the address, when given, must be the caller's own.",
    body: strict({ address: Type.Optional(AddressText) }),
    response: FaucetStatus,
  },
  faucetStatus: {
    method: 'GET',
    path: '/faucet/api/status',
    access: 'public',
    rate: 'public',
    summary: 'Where the claim of an address stands.',
    query: strict({ address: AddressText }),
    response: FaucetStatus,
  },
});
