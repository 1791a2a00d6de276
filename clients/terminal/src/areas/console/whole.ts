/** Undefined unless it is a whole number, written plainly. */
export const wholeOf = (typed: string): number | undefined => (/^(0|[1-9][0-9]{0,8})$/.test(typed.trim()) ? Number(typed) : undefined);
