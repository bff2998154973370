import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { LIST_NAME } from '../server/features/notices/notices.ts';
import { market, records } from './pictures/notices.ts';
import { type PaletteName, palettes } from './pictures/palettes.ts';
import type { Motif } from './pictures/shapes.ts';
import { seededRandom } from './random.ts';

const WIDTH = 1280;
const HEIGHT = 720;

interface NoticeSpec {
  readonly file: string;
  readonly motif: Motif;
  readonly palette: PaletteName;
  readonly text: string;
  readonly seconds: number;
}

/** For fictitious places and shops. */
const NOTICES: readonly NoticeSpec[] = [
  {
    file: 'market.webp',
    motif: market,
    palette: 'night',
    text: '夜の市の絵。提灯の下に、しま模様の屋根の屋台が並ぶ。',
    seconds: 10,
  },
  {
    file: 'records.webp',
    motif: records,
    palette: 'sea',
    text: 'レコード店の絵。回る円盤と、棚に並んだ背表紙。',
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
    await writeFile(join(making, file), await draw(motif, palette));
  }
  const list = NOTICES.map(({ file, text, seconds }) => ({ file, text, seconds }));
  await writeFile(join(making, LIST_NAME), `${JSON.stringify(list, null, 2)}\n`);
  await rename(making, folder);
}

function draw(motif: Motif, name: PaletteName): Promise<Buffer> {
  const palette = palettes[name];
  const random = seededRandom(`notice ${name}`);
  const drawing = motif({ width: WIDTH, height: HEIGHT, palette, random });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.paper}"/>${drawing}</svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: 84 }).toBuffer();
}
