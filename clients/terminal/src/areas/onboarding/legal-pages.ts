/** The legal pages must stay readable before they are accepted. */
export const legalPages: readonly string[] = ['/terms', '/privacy', '/cookies'];
