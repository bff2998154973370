/** A process that serves the pages in the given folder; its settings come from the environment. */
import { runServer } from '../../server/main.ts';
import { parseSettings } from '../../server/settings.ts';

await runServer(parseSettings(process.env), {
  distDir: process.argv[2] ?? 'dist',
  toPageKey: ({ path, query }) => (query === '' ? path : `${path}?${query}`),
});
