/** What the key of an e-mail wallet signs to prove that it is there. Without a schema: the signing page needs no library that checks them. */

/** A ticket is used once, so that the signature over it is of this moment. */
export const walletBindText = ({ address, ticket }: { address: string; ticket: string }): string =>
  `Orrery e-mail wallet\n\nAddress: ${address.toLowerCase()}\nTicket: ${ticket}`;
