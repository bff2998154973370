import sharp from 'sharp';
import { seededRandom } from '../random.ts';
import { drawLogo } from './logo.ts';
import { type PaletteName, palettes } from './palettes.ts';
import { patterns } from './patterns.ts';
import { scenes } from './scenes.ts';
import type { Motif } from './shapes.ts';

const motifs = {
  ...scenes,
  ...patterns,
  logo: drawLogo,
} satisfies Record<string, Motif>;

export type MotifName = keyof typeof motifs;

export interface PictureSpec {
  motif: MotifName;
  palette: PaletteName;
  seed: number;
  /** Pixels. */
  width: number;
  height: number;
  /** A PNG without background; otherwise a JPEG. */
  transparent: boolean;
}

/** Draws and encodes one picture; the same spec gives the same bytes. */
export async function renderPicture(spec: PictureSpec): Promise<Buffer> {
  const { width, height } = spec;
  const palette = palettes[spec.palette];
  const random = seededRandom(`picture ${spec.motif} ${spec.seed}`);
  const drawing = motifs[spec.motif]({ width, height, palette, random });
  const paper = spec.transparent ? '' : `<rect width="${width}" height="${height}" fill="${palette.paper}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${paper}${drawing}</svg>`;
  const picture = sharp(Buffer.from(svg));
  return spec.transparent
    ? picture.png().toBuffer()
    : picture.jpeg({ quality: 86, chromaSubsampling: '4:4:4' }).toBuffer();
}
