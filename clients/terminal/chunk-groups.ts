/**
 * Few files in place of many: each answer has headers, and small files compress badly. A group is named by the modules it begins at and takes what they
 * need; what an earlier group took is not taken again. What a person asks for, such as a dialog, begins no group, so that nobody loads it before.
 */

interface Group {
  readonly name: string;
  readonly test: RegExp;
  readonly priority: number;
}

export const chunkGroups: readonly Group[] = [
  // What every page begins with.
  { name: 'shell', priority: 4, test: /\/clients\/terminal\/src\/main\.tsx$/ },
  // What nearly every part stands on, beyond the shell.
  {
    name: 'kit',
    priority: 3,
    test: /\/src\/kit\/ui\/(boundary|button|button-classes|classes|control|dialog-frame|dialogs|early-code|early-part|empty-state|field-label|icon-button|in-url|lazy-part|load-code|loaded|loaded-panel|notice|panel|part-failed|skeleton|spinner|stale-note|table)\.tsx?$|orrery-texts\/ui$|lucide-react\/dist\/esm\/(createLucideIcon|Icon|icons\/(arrow-up|check|chevron-down|x))\.(js|mjs)$/,
  },
  // What pages of money and of markets count and show amounts with.
  {
    name: 'money',
    priority: 2,
    test: /\/core\/units\/src\/(amounts|decimal|ids)\.ts$|\/core\/rules\/src\/(fees|notional)\.ts$|\/src\/areas\/balances\/(coin-amount|coin-decimals|coin-name|fee-text|one-source|use-balances|use-coins|wallets)\.tsx?$|\/src\/kit\/(format\/(figure-parts|localised|rate)|ui\/(coin-mark|figure))\.tsx?$/,
  },
  // What forms check an amount of a coin with.
  {
    name: 'amount',
    priority: 1,
    test: /\/src\/areas\/balances\/(amount-problem|use-amount-problem)\.tsx?$/,
  },
  // What both trading pages show a market with.
  {
    name: 'market',
    priority: 1,
    test: /\/src\/market\/(market|market-context|market-kind|markets|use-numbers)\.tsx?$|\/src\/platform\/data\/streams\/(streamed|streams|use-streams)\.ts$|\/core\/rules\/src\/(bands|check-order)\.ts$|\/src\/trade\/shared\/(market\/change|tables\/amendment)\.ts$|\/src\/kit\/ui\/use-layout\.ts$/,
  },
  // What the tickets of both trading pages read their fields with.
  {
    name: 'ticket',
    priority: 0,
    test: /\/src\/trade\/shared\/(orders\/(announced-orders|order-rules)|ticket\/(book-walk|ticket-text))\.ts$/,
  },
  // What a newcomer has still to do: on every page of the account that begins with it.
  { name: 'steps', priority: 0, test: /\/src\/areas\/(onboarding\/(steps|use-steps)|tasks\/use-tasks)\.tsx?$/ },
  // Hashes and addresses, with the button that copies them.
  { name: 'hash', priority: 0, test: /\/src\/kit\/ui\/(copy-button|hash)\.tsx$/ },
];
