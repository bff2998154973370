/**
 * What one caller can do to the others: `node bench/attacks.ts [SECTION] [DATA_DIR]`. Each section
 * starts servers on free ports with the data of `npm run demo` and ends by itself.
 */
import { attackPages } from './attacks/pages.ts';

const SECTIONS: Readonly<Record<string, (dataDir?: string) => Promise<void>>> = {
  pages: attackPages,
};

const [wanted = 'all', dataDir] = process.argv.slice(2);
for (const [name, attack] of Object.entries(SECTIONS)) {
  if (wanted === 'all' || wanted === name) await attack(dataDir);
}
