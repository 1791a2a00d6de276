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
  { name: 'shell', priority: 2, test: /\/clients\/terminal\/src\/main\.tsx$/ },
  // What nearly every part stands on, beyond the shell.
  {
    name: 'kit',
    priority: 1,
    test: /\/src\/kit\/ui\/(boundary|button|button-classes|classes|dialog-frame|dialogs|early-code|early-part|empty-state|field-label|icon-button|in-url|lazy-part|load-code|loaded|loaded-panel|panel|part-failed|skeleton|spinner|stale-note)\.tsx?$|orrery-texts\/ui$|lucide-react\/dist\/esm\/(createLucideIcon|Icon|icons\/(arrow-up|check|chevron-down|x))\.(js|mjs)$/,
  },
];
