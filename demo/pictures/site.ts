import { between } from '../random.ts';
import { box, circle, type Motif, ring, times } from './shapes.ts';

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

/** Emblem of an artist: a disc cut by arcs; no faces. */
const emblem: Motif = ({ width: w, height: h, palette, random }) => {
  const r = w * 0.34;
  const kind = Math.floor(random() * 4);
  const disc = circle(w / 2, h / 2, r, kind % 2 === 0 ? palette.ink : palette.accent);
  const other = kind % 2 === 0 ? palette.accent : palette.ink;
  if (kind === 0)
    return (
      disc +
      circle(w / 2 + r * 0.4, h / 2 - r * 0.32, r * 0.46, other) +
      box(0, h / 2 + r * 0.42, w, r * 0.14, palette.paper)
    );
  if (kind === 1)
    return disc + times(4, (i) => ring(w / 2, h / 2 + r, r * (0.5 + i * 0.4), palette.paper, r * 0.07));
  if (kind === 2)
    return (
      disc +
      times(5, (i) =>
        box(
          w / 2 - r + i * r * 0.4 + r * 0.1,
          h / 2 - r * between(random, 0.2, 0.7),
          r * 0.2,
          r * between(random, 0.7, 1.1),
          i === 2 ? other : palette.paper,
          r * 0.1,
        ),
      )
    );
  return (
    disc +
    circle(w / 2, h / 2, r * 0.62, palette.paper) +
    circle(w / 2 + r * 0.2, h / 2 - r * 0.12, r * 0.3, other)
  );
};

export const site = { banner, emblem } satisfies Record<string, Motif>;
