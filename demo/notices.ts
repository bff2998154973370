import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LIST_NAME } from '../server/features/notices/notices.ts';
import type { PaletteName } from './pictures/palettes.ts';
import { type MotifName, renderPicture } from './pictures/picture.ts';

interface NoticeSpec {
  readonly file: string;
  readonly motif: MotifName;
  readonly palette: PaletteName;
  readonly text: string;
  readonly seconds: number;
}

const NOTICES: readonly NoticeSpec[] = [
  {
    file: 'town.jpg',
    motif: 'town',
    palette: 'night',
    text: '夜の町の絵。建物の窓に明かりがともり、月が出ている。',
    seconds: 10,
  },
  {
    file: 'sea.jpg',
    motif: 'waves',
    palette: 'sea',
    text: '海の絵。重なる波の向こうに、大きな夕日が沈む。',
    seconds: 15,
  },
];

/** Creates the demo notices in the operator's folder, unless the folder exists. */
export async function makeNotices(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'notices');
  if (existsSync(folder)) return;
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  for (const { file, motif, palette } of NOTICES) {
    const spec = { motif, palette, seed: 1, width: 1280, height: 720 };
    const picture = await renderPicture({ ...spec, transparent: false });
    await writeFile(join(making, file), picture);
  }
  const list = NOTICES.map(({ file, text, seconds }) => ({ file, text, seconds }));
  await writeFile(join(making, LIST_NAME), `${JSON.stringify(list, null, 2)}\n`);
  await rename(making, folder);
}
