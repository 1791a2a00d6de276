/** Texts of the mailbox, which is there for trying the exchange out. */
export const mailbox = {
  'mailbox.title': 'Mailbox',
  'mailbox.lead': 'What this exchange would have sent by e-mail and by text message.',
  'mailbox.whatItIs':
    'This is not a mail program. No mail server is configured, so nothing leaves this machine: messages are kept here in memory, for anybody to read. This page is part of test installations only.',
  'mailbox.to': 'Receiver',
  'mailbox.toHint': 'An e-mail address, or a telephone number such as +8613800138000.',
  'mailbox.open': 'Open',
  'mailbox.messages': 'Messages',
  'mailbox.looking': 'Looking for messages…',
  'mailbox.empty': 'No messages to {to}.',
  'mailbox.textMessage': 'Text message',
} as const;
