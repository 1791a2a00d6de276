/** What a wallet signs to change its passkeys, for the purpose `security`. */
export const ADD_PASSKEY_STATEMENT = 'Add a passkey to my account on Orrery.';
export const REMOVE_PASSKEY_STATEMENT = 'Remove a passkey from my account on Orrery.';
