/** Texts for those who test: reports of bugs, and trouble on purpose. */
export const testing = {
  'bug.title': 'Report a bug',
  'bug.report': 'Report',
  'bug.lead': 'Say what happened, copy the report and paste it where bugs are collected. Nothing is sent from here.',
  'bug.leadNoLink': 'Say what happened, and copy the report. Nothing is sent from here.',
  'bug.copy': 'Copy report',
  'bug.copied': 'Report copied',
  'bug.notCopied': 'This browser did not allow it: select the text and copy it.',

  'chaos.title': 'Trouble on purpose',
  'chaos.lead': 'For this page only, to see whether it recovers. Offered in the test environment.',
  'chaos.drop': 'Drop the stream',
  'chaos.skip': 'Lose one change of the book',
  'chaos.delay': 'Every message 2 s late',
} as const;
