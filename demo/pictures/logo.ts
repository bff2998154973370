import { box, circle, stroke } from './shapes.ts';

/** A contrast of about 4.5:1 on white and on near-black; a picture cannot know the colour scheme. */
const TONE = '#d4553a';

/** 音市 as strokes on a 100 x 100 grid each, so that no Japanese font is needed. */
const GLYPHS = [
  'M50 2V14M16 17H84M32 23L37 37M68 23L63 37M6 42H94M26 97V54H74V97M26 75.5H74M26 97H74',
  'M50 2V20M6 23H94M22 84V42H78V78Q78 84 70 83M50 23V99',
];

/** Roundel with a waveform cut out, then 音市. 64 px high for a 32 px navbar. */
export function drawLogo(): string {
  const heights = [16, 30, 22, 38, 14];
  const wave = heights.map((tall, i) => box(13.5 + i * 8, 32 - tall / 2, 5, tall, '#000', 2.5)).join('');
  const glyphs = GLYPHS.map(
    (path, i) => `<g transform="translate(${80 + i * 60} 8) scale(0.48)">${stroke(path, TONE, 10.4)}</g>`,
  );
  return [
    `<mask id="wave"><rect width="64" height="64" fill="#fff"/>${wave}</mask>`,
    `<g mask="url(#wave)">${circle(32, 32, 31, TONE)}</g>`,
    ...glyphs,
  ].join('');
}
