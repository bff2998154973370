/**
 * A process that serves the pages in the given folder, with its workers if there are any; its settings come from the
 * environment. `TEST_FILES` is a folder for the storage that is not in the data folder. The first line of a primary's
 * output that is not of a log is its address.
 */
import { parseSettings } from '#server/settings.ts';
import { serveSite } from '#server/workers.ts';

const settings = parseSettings(process.env);
const files = process.env['TEST_FILES'];
const storage = files === undefined ? settings.storage : { kind: 'folder' as const, path: files };
const url = await serveSite(
  { ...settings, storage },
  {
    distDir: process.argv[2] ?? 'dist',
    toPageKey: ({ path, query }) => (query === '' ? path : `${path}?${query}`),
  },
);
if (url !== undefined && settings.workers > 1) console.log(JSON.stringify({ msg: 'all workers serve', url }));
