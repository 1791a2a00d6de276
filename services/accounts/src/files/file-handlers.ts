/** The calls about files. */
import type { fileRoutes, Handlers } from '@orrery/api';
import type { Files } from './files.ts';

export const fileHandlers = ({ files }: { readonly files: Files }): Handlers<typeof fileRoutes> => ({
  uploadFile: ({ principal: { account }, body }) => files.take(account, body),
  async files({ principal: { account } }) {
    const list = await files.list(account);
    return { list, total: list.length };
  },
  linkFile: ({ principal: { account }, body: { fileId } }) => files.link(account, fileId),
  async deleteFile({ principal: { account }, body: { fileId } }) {
    await files.remove(account, fileId);
    return { fileId };
  },
  downloadFile: ({ query }) => files.download(query),
});
