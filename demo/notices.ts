import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAccountByEmail } from '../server/features/accounts/queries.ts';
import { addNotice } from '../server/features/notices/changes.ts';
import { systemClock } from '../server/platform/concurrency/clock.ts';
import type { PaletteName } from './pictures/palettes.ts';
import { type MotifName, renderPicture } from './pictures/picture.ts';
import type { Place } from './seed.ts';

interface NoticeSpec {
  readonly filename: string;
  readonly motif: MotifName;
  readonly palette: PaletteName;
  readonly text: string;
  readonly seconds: number;
}

const NOTICES: readonly NoticeSpec[] = [
  {
    filename: 'town.jpg',
    motif: 'town',
    palette: 'night',
    text: '夜の町の絵。建物の窓に明かりがともり、月が出ている。',
    seconds: 10,
  },
  {
    filename: 'sea.jpg',
    motif: 'waves',
    palette: 'sea',
    text: '海の絵。重なる波の向こうに、大きな夕日が沈む。',
    seconds: 15,
  },
];

/** The notices that visitors of the demo watch before a download. */
export async function seedNotices({ database, storage }: Place, temporaryFolder: string): Promise<void> {
  const staff = await findAccountByEmail(database.db, 'staff@example.test');
  if (staff === undefined) throw new Error('the demo has no staff account');
  const path = join(temporaryFolder, 'notice');
  for (const { filename, motif, palette, text, seconds } of NOTICES) {
    const spec = { motif, palette, seed: 1, width: 1280, height: 720 };
    await writeFile(path, await renderPicture({ ...spec, transparent: false }));
    const fields = { text, link: '', seconds, from: '', until: '' };
    await addNotice({ database, storage, clock: systemClock }, staff.id, fields, {
      file: { filename, path },
    });
  }
  await rm(path);
}
