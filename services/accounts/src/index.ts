export { accountsService, type Accounts } from './accounts.ts';
export { MasterKeyError } from './keys/master-key.ts';
export { TEST_BLOCKED_ADDRESSES } from './blocked.ts';
export { diskFileStore, type FileStore } from './files/file-store.ts';
export { s3FileStore, type S3Site, s3SiteOf } from './files/s3-file-store.ts';
export { KNOWN_PUSH_SERVICES, type PushServices } from './push/push-services.ts';
export type { Terms } from './agreements.ts';
export type { KeptMessage, MailboxReader, Message, Post, Posts } from './mail/message.ts';
export type { AccountsTables } from './tables.ts';
