/** Writes the test catalogue into an empty data folder: `node seed.ts <folder>`. Sites start from copies of it. */
import { join } from 'node:path';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { openDatabase } from '#server/schema/open.ts';
import { createLog } from '#server/platform/log.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { seedCatalogue } from './catalogue.ts';

const folder = process.argv[2] ?? '';
const database = await openDatabase({ kind: 'sqlite', file: join(folder, 'site.sqlite') });
const storage = await openStorage({ kind: 'folder', path: join(folder, 'files') });
await seedCatalogue({ database, storage });
// Otherwise, every site would load the dictionary.
const logger = createLog('warn', { write: (line) => void process.stderr.write(line) });
await pronounceSounds({ database, logger, catalogueChanged: () => undefined });
await database.close();
// The processes that read waveforms would keep this one running.
process.exit(0);
