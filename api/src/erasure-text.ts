/** What a wallet signs to have its account deleted, in words. Without a schema, and apart from the other statements: few pages need it. */
export const ERASURE_STATEMENT = 'Delete my account on Orrery.';
