/** The calls about exports. */
import type { exportRoutes, Handlers } from '@orrery/api';
import type { ExportJobs } from './export-jobs.ts';

export const exportHandlers = (jobs: ExportJobs): Handlers<typeof exportRoutes> => ({
  createExport: ({ principal: { account }, body }) => jobs.create(account, body),
  async exports({ principal: { account } }) {
    const list = await jobs.list(account);
    return { list, total: list.length };
  },
  retryExport: ({ principal: { account }, body: { exportId } }) => jobs.retry(account, exportId),
  linkExport: ({ principal: { account }, query }) => jobs.link(account, query),
  downloadExport: ({ query }) => jobs.download(query),
});
