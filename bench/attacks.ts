/**
 * Measures how one caller can affect the others: `node bench/attacks.ts [SECTION] [DATA_DIR]`. Each section starts
 * servers on free ports with the data of `npm run demo`, and stops them.
 */
import { run as attackConnections } from './attacks/connections.ts';
import { attackDownloads } from './attacks/downloads.ts';
import { attackPages } from './attacks/pages.ts';
import { attackSearches } from './attacks/searches.ts';
import { run as lockDatabase } from './attacks/write-lock.ts';

const SECTIONS: Readonly<Record<string, (dataDir?: string) => Promise<unknown>>> = {
  pages: attackPages,
  connections: () => attackConnections(),
  'write-lock': () => lockDatabase(),
  downloads: () => attackDownloads(),
  searches: attackSearches,
};

const [wanted = 'all', dataDir] = process.argv.slice(2);
for (const [name, attack] of Object.entries(SECTIONS)) {
  if (wanted === 'all' || wanted === name) await attack(dataDir);
}
