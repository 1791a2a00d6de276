/** The name people know a coin by: the wrapped native coin is shown as the coin itself. */
export const coinName = (coin: string): string => (coin === 'WSOSO' ? 'SOSO' : coin);
