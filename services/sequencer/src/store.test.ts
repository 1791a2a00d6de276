/** The journal of a folder, and the one in memory that other tests use, are held to what every shared journal is held to. */
import { nodeDisk } from './node-disk.ts';
import { FolderStore } from './testing/folder-store.ts';
import { describeJournal } from './testing/journal-conformance.ts';
import { MemoryHistory, MemoryStore } from './testing/memory-store.ts';
import { newFolder, removeFolders } from './testing/open-heart.ts';

describeJournal(
  'a journal in a folder',
  () => {
    const folder = newFolder();
    return Promise.resolve({
      connect: () => Promise.resolve(new FolderStore(nodeDisk, folder)),
      end: () => Promise.resolve(removeFolders()),
    });
  },
  { hasBeats: false },
);

describeJournal(
  'a journal in memory',
  () => {
    const history = new MemoryHistory();
    return Promise.resolve({ connect: () => Promise.resolve(new MemoryStore(history)), end: () => Promise.resolve() });
  },
  { hasBeats: true },
);
