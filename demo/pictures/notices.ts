import { between } from '../random.ts';
import { type Motif, area, box, circle, land, ring, segment, stroke, times } from './shapes.ts';

/** A market at night: a string of lanterns, and stalls under striped awnings. */
export const market: Motif = (canvas) => {
  const { width: w, height: h, palette, random } = canvas;
  const sky =
    times(40, () =>
      circle(random() * w, random() * h * 0.4, w * between(random, 0.001, 0.003), palette.middle),
    ) + circle(w * 0.84, h * 0.16, h * 0.07, palette.ink);
  const string = (x: number) => h * (0.16 + 0.28 * (x / w) * (1 - x / w));
  const line = stroke(`M0 ${string(0)}Q${w / 2} ${h * 0.3} ${w} ${string(w)}`, palette.middle, 3);
  const lanterns = times(9, (i) => {
    const x = w * (0.06 + i * 0.11);
    const y = string(x) + h * 0.07;
    const size = h * 0.045;
    return (
      segment(x, string(x), x, y - size, palette.middle, 3) +
      box(x - size * 0.8, y - size, size * 1.6, size * 2, palette.accent, size * 0.8) +
      box(x - size * 0.4, y - size * 1.1, size * 0.8, size * 0.2, palette.ink)
    );
  });
  const stalls = times(4, (i) => {
    const wide = w * 0.2;
    const x = w * (0.05 + i * 0.235);
    const top = h * 0.46;
    const stripes = times(6, (n) => {
      const from = x + (wide * n) / 6;
      const fill = n % 2 === 0 ? palette.accent : palette.ink;
      const low = top + h * 0.1;
      return area(`M${from} ${top}h${wide / 6}V${low}a${wide / 12} ${wide / 12} 0 0 1 ${-wide / 6} 0Z`, fill);
    });
    const goods = times(5, (n) => {
      const tall = h * between(random, 0.03, 0.1);
      return box(x + wide * (0.1 + n * 0.17), h * 0.74 - tall, wide * 0.11, tall, palette.middle, 6);
    });
    return (
      box(x + wide * 0.02, top, wide * 0.03, h * 0.42, palette.middle) +
      box(x + wide * 0.95, top, wide * 0.03, h * 0.42, palette.middle) +
      stripes +
      goods +
      box(x - wide * 0.02, h * 0.74, wide * 1.04, h * 0.14, palette.pale, 8)
    );
  });
  return (
    sky + land(canvas, [h * 0.84, h * 0.86, h * 0.83, h * 0.87], palette.pale) + line + lanterns + stalls
  );
};

/** A record shop: one disc turning, and a shelf of spines. */
export const records: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * 0.32;
  const y = h * 0.46;
  const r = h * 0.34;
  const disc =
    circle(x, y, r, palette.ink) +
    times(7, (i) => ring(x, y, r * (0.45 + i * 0.075), palette.middle, 1.5)) +
    circle(x, y, r * 0.36, palette.accent) +
    circle(x, y, r * 0.06, palette.paper);
  const arm =
    circle(w * 0.56, h * 0.2, h * 0.05, palette.middle) +
    segment(w * 0.56, h * 0.2, w * 0.52, h * 0.5, palette.middle, h * 0.018) +
    segment(w * 0.52, h * 0.5, w * 0.455, h * 0.57, palette.middle, h * 0.018);
  const fills = [palette.ink, palette.middle, palette.pale, palette.accent];
  const shelf = times(3, (row) => {
    const bottom = h * (0.32 + row * 0.25);
    let out = box(w * 0.64, bottom, w * 0.32, h * 0.016, palette.ink);
    for (let left = w * 0.65; left < w * 0.93;) {
      const wide = w * between(random, 0.008, 0.02);
      const tall = h * between(random, 0.15, 0.19);
      out += box(left, bottom - tall, wide, tall, fills[Math.floor(random() * fills.length)] ?? '', 2);
      left += wide + w * 0.003;
    }
    return out;
  });
  return box(0, h * 0.88, w, h * 0.12, palette.pale) + disc + arm + shelf;
};
