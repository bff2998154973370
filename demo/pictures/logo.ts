import { box, circle, ring, segment, stroke } from './shapes.ts';

/** A contrast of about 4.5:1 on white and on near-black; a picture cannot know the colour scheme. */
const TONE = '#d4553a';
const INK = '#8a8f98';

/** 音市 drawn as strokes on a 100 x 100 grid each, so that no Japanese font is needed. */
function oto(x: number, y: number, size: number, colour: string, weight: number): string {
  const at = (px: number, py: number) => [x + (px / 100) * size, y + (py / 100) * size] as const;
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    segment(...at(x1, y1), ...at(x2, y2), colour, weight);
  return [
    line(50, 2, 50, 14),
    line(16, 17, 84, 17),
    line(32, 23, 37, 37),
    line(68, 23, 63, 37),
    line(6, 42, 94, 42),
    line(26, 54, 26, 97),
    line(74, 54, 74, 97),
    line(26, 54, 74, 54),
    line(26, 75.5, 74, 75.5),
    line(26, 97, 74, 97),
  ].join('');
}

function ichi(x: number, y: number, size: number, colour: string, weight: number): string {
  const at = (px: number, py: number) => [x + (px / 100) * size, y + (py / 100) * size] as const;
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    segment(...at(x1, y1), ...at(x2, y2), colour, weight);
  return [
    line(50, 2, 50, 20),
    line(6, 23, 94, 23),
    line(22, 42, 22, 84),
    line(22, 42, 78, 42),
    stroke(
      `M${at(78, 42).join(' ')}L${at(78, 78).join(' ')}Q${at(78, 84).join(' ')} ${at(70, 83).join(' ')}`,
      colour,
      weight,
    ),
    line(50, 23, 50, 99),
  ].join('');
}

/** Latin capitals for the word mark, as strokes on a 60 x 100 grid. */
const LETTERS: Record<string, string> = {
  O: 'M30 4A26 46 0 1 0 30 96A26 46 0 1 0 30 4',
  T: 'M2 6H58M30 6V96',
  I: 'M30 6V96',
  C: 'M54 22A27 46 0 1 0 54 78',
  H: 'M6 4V96M54 4V96M6 50H54',
};

function word(text: string, x: number, y: number, height: number, colour: string, weight: number): string {
  const scale = height / 100;
  let left = x;
  let out = '';
  for (const letter of text) {
    const stem = letter === 'I' ? 26 * scale : 0;
    out += `<g transform="translate(${left - stem} ${y}) scale(${scale})">${stroke(LETTERS[letter] ?? '', colour, weight / scale)}</g>`;
    left += (letter === 'I' ? 36 : 86) * scale;
  }
  return out;
}

/** Roundel with a waveform cut out, then 音市. 64 px high for a 32 px navbar. */
export function drawLogo(): string {
  const heights = [16, 30, 22, 38, 14];
  const wave = heights.map((tall, i) => box(13.5 + i * 8, 32 - tall / 2, 5, tall, '#000', 2.5)).join('');
  return [
    `<mask id="wave"><rect width="64" height="64" fill="#fff"/>${wave}</mask>`,
    `<g mask="url(#wave)">${circle(32, 32, 31, TONE)}</g>`,
    oto(80, 8, 48, TONE, 5),
    ichi(140, 8, 48, TONE, 5),
  ].join('');
}

/** 音市 and OTOICHI side by side, in grey, 96 px high. */
export function drawFooterLogo(): string {
  return [
    ring(48, 48, 42, TONE, 5),
    ...[20, 40, 28, 48, 18].map((tall, i) => box(25 + i * 10, 48 - tall / 2, 5.5, tall, TONE, 2.7)),
    oto(112, 20, 56, INK, 5),
    ichi(184, 20, 56, INK, 5),
    word('OTOICHI', 272, 34, 30, INK, 3.6),
  ].join('');
}
