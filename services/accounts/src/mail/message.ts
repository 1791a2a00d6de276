/** What is sent to people: e-mails and text messages, and the ports that carry them. */

export interface Message {
  readonly kind: 'email' | 'text';
  /** An e-mail address in lower case, or a telephone number as E.164 writes it. */
  readonly to: string;
  /** Not sent with a text message. */
  readonly subject: string;
  readonly text: string;
}

/** Carries a message out of the house. Rejects when it was not taken; nothing of the message is in the error. */
export type Post = (message: Message) => Promise<void>;

/** Without a post, nothing of the kind can be sent. */
export interface Posts {
  readonly email: Post | undefined;
  readonly text: Post | undefined;
}

/** A message as a mailbox has kept it. */
export interface KeptMessage extends Message {
  /** Unix milliseconds. */
  readonly time: number;
}

/** Where messages are kept that nobody sends. */
export interface MailboxReader {
  /** Newest first. */
  of(to: string): readonly KeptMessage[];
  forget(to: string): void;
}
