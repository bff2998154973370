import { between, integerBetween, pick } from '../random.ts';
import { area, box, circle, type Motif, polygon, ring, times } from './shapes.ts';

const bars: Motif = ({ width: w, height: h, palette, random }) => {
  const count = 15;
  const accent = integerBetween(random, 4, 10);
  return times(count, (i) => {
    const tall = h * (0.1 + 0.5 * Math.abs(Math.sin(i * 0.7 + random() * 1.2)));
    const gap = w / (count + 4);
    return box(
      gap * (i + 2) + gap * 0.2,
      h / 2 - tall / 2,
      gap * 0.6,
      tall,
      i === accent ? palette.accent : i % 3 === 0 ? palette.middle : palette.ink,
      gap * 0.3,
    );
  });
};

const shards: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * between(random, 0.4, 0.6);
  const y = h * between(random, 0.45, 0.6);
  const count = 13;
  return (
    times(count, (i) => {
      const angle = ((i + random() * 0.5) / count) * Math.PI * 2;
      const width = between(random, 0.06, 0.14);
      const far = w * between(random, 0.42, 0.8);
      const fill = pick(random, [palette.pale, palette.middle, palette.ink, palette.pale]);
      return polygon(
        [
          [x, y],
          [x + Math.cos(angle - width) * far, y + Math.sin(angle - width) * far],
          [x + Math.cos(angle + width) * far, y + Math.sin(angle + width) * far],
        ],
        fill,
      );
    }) +
    polygon(
      [
        [x, y - w * 0.15],
        [x + w * 0.1, y],
        [x, y + w * 0.15],
        [x - w * 0.1, y],
      ],
      palette.accent,
    )
  );
};

const keys: Motif = ({ width: w, height: h, palette, random }) => {
  const count = 8;
  const key = w / count;
  const pressed = integerBetween(random, 1, 6);
  const top = h * between(random, 0.3, 0.4);
  return (
    times(count, (i) => box(i * key + 3, top, key - 6, h, i === pressed ? palette.accent : palette.pale, 6)) +
    times(count, (i) =>
      [2, 6].includes(i)
        ? ''
        : box((i + 1) * key - key * 0.28, top - 4, key * 0.56, h * 0.36, palette.ink, 5),
    ) +
    circle(w * between(random, 0.2, 0.8), top * 0.5, w * 0.05, palette.accent)
  );
};

/** A grid of squares, mirrored, as in early games. */
const pixels: Motif = ({ width: w, height: h, palette, random }) => {
  const unit = Math.min(w, h) / 16;
  const left = (w - unit * 10) / 2;
  const top = (h - unit * 10) / 2;
  let out = '';
  for (let y = 0; y < 10; y++)
    for (let x = 0; x < 5; x++) {
      if (random() < 0.42) continue;
      const fill = pick(random, [palette.ink, palette.ink, palette.middle, palette.accent]);
      out +=
        box(left + x * unit, top + y * unit, unit, unit, fill) +
        box(left + (9 - x) * unit, top + y * unit, unit, unit, fill);
    }
  return out;
};

const ripples: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * between(random, 0.35, 0.65);
  const y = h * between(random, 0.4, 0.6);
  return (
    times(7, (i) =>
      ring(
        x,
        y,
        w * (0.08 + i * 0.075),
        [palette.ink, palette.middle, palette.pale][i % 3] ?? palette.ink,
        w * (0.016 - i * 0.0015),
      ),
    ) + circle(x, y, w * 0.04, palette.accent)
  );
};

const sparks: Motif = ({ width: w, height: h, palette, random }) =>
  ring(w / 2, h / 2, w * 0.3, palette.pale, w * 0.012) +
  ring(w / 2, h / 2, w * 0.22, palette.middle, w * 0.006) +
  times(9, (i) => {
    const angle = (i / 9) * Math.PI * 2 + random() * 0.4;
    const far = i === 0 ? 0 : w * between(random, 0.16, 0.36);
    const size = i === 0 ? w * 0.13 : w * between(random, 0.02, 0.05);
    const x = w / 2 + Math.cos(angle) * far;
    const y = h / 2 + Math.sin(angle) * far;
    return area(
      `M${x} ${y - size}Q${x} ${y} ${x + size} ${y}Q${x} ${y} ${x} ${y + size}Q${x} ${y} ${x - size} ${y}Q${x} ${y} ${x} ${y - size}Z`,
      i === 0 ? palette.accent : palette.ink,
    );
  });

/** A row of market stalls whose awnings are a waveform. */
const banner: Motif = ({ width: w, height: h, palette, random }) => {
  const count = 84;
  const step = w / count;
  const sound = times(count, (i) => {
    const swell = 0.22 + 0.78 * Math.sin((i / count) * Math.PI) ** 2;
    const tall = h * 0.66 * swell * between(random, 0.25, 1);
    const fill = i % 21 === 10 ? palette.accent : i % 3 === 0 ? palette.middle : palette.ink;
    return box(i * step + step * 0.25, h / 2 - tall / 2, step * 0.5, tall, fill, step * 0.25);
  });
  return (
    circle(w * 0.84, h * 0.5, h * 0.62, palette.pale) +
    ring(w * 0.14, h * 0.5, h * 0.4, palette.pale, h * 0.06) +
    sound
  );
};

export const patterns = { banner, bars, shards, keys, pixels, ripples, sparks } satisfies Record<
  string,
  Motif
>;
