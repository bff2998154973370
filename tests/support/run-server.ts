/** A process that serves the pages of the folder given to it; settings come from its environment. */
import { runServer } from '../../server/main.ts';
import { parseSettings } from '../../server/settings.ts';

await runServer(parseSettings(process.env), {
  distDir: process.argv[2] ?? 'dist',
  toPageKey: ({ path, query }) => (query === '' ? path : `${path}?${query}`),
});
