import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { decodePeaks } from '../../../contract/sounds/peaks.ts';
import { SHARE_PICTURE } from '../../../contract/site/pictures.ts';
import { once } from '../../platform/once.ts';
import { readCoverage } from './font-coverage.ts';
import type { ShareSubject } from './share-pictures.ts';

const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE;
const MARGIN = 64;
const SIDE = 384;
const TEXT_LEFT = MARGIN + SIDE + 56;
const TEXT_WIDTH = WIDTH - MARGIN - TEXT_LEFT;
/** Where texts are: the largest width and height. */
const TITLE_BOX = { width: TEXT_WIDTH, height: 264 } as const;
const LINE_BOX = { width: TEXT_WIDTH, height: 96 } as const;
const SITE_BOX = { width: TEXT_WIDTH - 60, height: 42 } as const;
const WAVE = { top: 490, height: 92 } as const;
const TITLE_LENGTH = 60;
const LINE_LENGTH = 40;
const COLORS = {
  paper: '#faf8f4',
  tint: '#efeae1',
  ink: '#1d1b18',
  muted: '#6a655d',
  accent: '#b93a20',
} as const;
const DRAWING_SECONDS_MAX = 5;
const QUALITY = 86;
/** The sign of the site, as in `public/favicon.svg`, in a square of 32. */
const SIGN = 'M6 13v6m5-11v16m5-20v24m5-19v14m5-10v6';
const SIGN_PEAKS = '7jzrd'.repeat(8);

const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/m-plus-1p/700Bold/MPLUS1p_700Bold.ttf'));
const FONT_NAME = 'M PLUS 1p Bold';
const loadCoverage = once(async () => readCoverage(await readFile(FONT)));

/** See `drawSharePicture`, which runs this in another process. */
export async function drawShare(subject: ShareSubject, picture: Uint8Array | null): Promise<Buffer> {
  const title = await drawTitle(subject.title);
  const line = await drawText(cut(subject.line, LINE_LENGTH), 32, COLORS.muted, LINE_BOX);
  const site = await drawText(cut(subject.siteName, LINE_LENGTH), 30, COLORS.ink, SITE_BOX);
  const overlays: OverlayOptions[] = [];
  if (picture !== null) {
    overlays.push({ input: await cutOut(picture, subject.shape), left: MARGIN, top: MARGIN });
  }
  if (title) overlays.push({ input: title.data, left: TEXT_LEFT, top: MARGIN });
  if (line) {
    overlays.push({ input: line.data, left: TEXT_LEFT, top: MARGIN + (title ? title.info.height + 20 : 0) });
  }
  if (site) {
    const top = MARGIN + SIDE - 22 - Math.round(site.info.height / 2);
    overlays.push({ input: site.data, left: WIDTH - MARGIN - SITE_BOX.width, top });
  }
  return sharp(Buffer.from(toBackground(subject, picture !== null)))
    .composite(overlays)
    .flatten({ background: COLORS.paper })
    .timeout({ seconds: DRAWING_SECONDS_MAX })
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/**
 * The background, the area of the picture, the waveform and the site's sign. No text: the font would depend on the
 * machine.
 */
function toBackground({ shape, peaks }: ShareSubject, hasPicture: boolean): string {
  const radius = shape === 'circle' ? SIDE / 2 : 24;
  const inside = { left: MARGIN + 64, top: MARGIN + 112, width: SIDE - 128, height: SIDE - 224 };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="${COLORS.paper}"/>
    <rect x="${MARGIN}" y="${MARGIN}" width="${SIDE}" height="${SIDE}" rx="${radius}" fill="${COLORS.tint}"/>
    ${hasPicture ? '' : toWave(SIGN_PEAKS.slice(0, 15), inside, COLORS.muted)}
    ${toWave(peaks || SIGN_PEAKS, { left: MARGIN, width: WIDTH - 2 * MARGIN, ...WAVE }, COLORS.accent)}
    <g transform="translate(${TEXT_LEFT} ${MARGIN + SIDE - 44}) scale(1.375)">
      <rect width="32" height="32" rx="7" fill="${COLORS.accent}"/>
      <path d="${SIGN}" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
    </g>
  </svg>`;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function toWave(peaks: string, { left, top, width, height }: Box, color: string): string {
  const heights = decodePeaks(peaks);
  const step = width / heights.length;
  const bars = heights.map((peak, index) => {
    const bar = Math.max(4, peak * height);
    return `M${(left + (index + 0.5) * step).toFixed(1)} ${(top + (height - bar) / 2).toFixed(1)}v${bar.toFixed(1)}`;
  });
  return `<path d="${bars.join('')}" stroke="${color}" stroke-width="${(step * 0.5).toFixed(1)}" stroke-linecap="round"/>`;
}

async function cutOut(picture: Uint8Array, shape: ShareSubject['shape']): Promise<Buffer> {
  const radius = shape === 'circle' ? SIDE / 2 : 24;
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="100%" height="100%" rx="${radius}"/></svg>`;
  return sharp(picture)
    .timeout({ seconds: DRAWING_SECONDS_MAX })
    .resize(SIDE, SIDE, { fit: 'cover' })
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The largest size in which the title fits. */
async function drawTitle(title: string) {
  const text = cut(title, TITLE_LENGTH);
  for (const size of [60, 48]) {
    const drawn = await drawText(text, size, COLORS.ink, { ...TITLE_BOX, height: Infinity });
    if (drawn === undefined || drawn.info.height <= TITLE_BOX.height) return drawn;
  }
  return drawText(text, 36, COLORS.ink, TITLE_BOX);
}

/** The text as a transparent picture; undefined if there is none, or the font lacks one of its letters. */
async function drawText(
  text: string,
  size: number,
  color: string,
  { width: widthMax, height: heightMax }: Pick<Box, 'width' | 'height'>,
) {
  const drawable = await toDrawable(text);
  if (drawable === '') return undefined;
  const drawn = await sharp({
    text: {
      text: `<span foreground="${color}" insert_hyphens="false">${escapeMarkup(drawable)}</span>`,
      font: `${FONT_NAME} ${size}`,
      fontfile: FONT,
      width: widthMax,
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
    },
  })
    .timeout({ seconds: DRAWING_SECONDS_MAX })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = drawn.info;
  if (height <= heightMax && width <= widthMax) return drawn;
  return sharp(drawn.data)
    .extract({ left: 0, top: 0, width: Math.min(width, widthMax), height: Math.min(height, heightMax) })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
}

/**
 * The text without signs that the font lacks, such as emoji; '' if it lacks a letter, a mark or a digit, without which
 * the text would be another one. Other fonts of the machine are not relied on: a new server has none, and draws boxes.
 */
async function toDrawable(text: string): Promise<string> {
  const hasGlyph = await loadCoverage();
  const characters = [...text.normalize('NFC')];
  const missing = characters.filter((character) => !hasGlyph(character.codePointAt(0) ?? 0));
  if (missing.some((character) => /[\p{L}\p{N}]|[^\P{M}\ufe0e\ufe0f]/u.test(character))) return '';
  return characters
    .filter((character) => !missing.includes(character))
    .join('')
    .trim();
}

function cut(text: string, lengthMax: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length > lengthMax
    ? `${characters.slice(0, lengthMax - 1).join('')}…`
    : characters.join('');
}

/** Pango reads the text as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
