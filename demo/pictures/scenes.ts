import { between, pick } from '../random.ts';
import { area, box, circle, land, type Motif, polygon, ring, segment, stroke, times } from './shapes.ts';

function ridge(random: () => number, count: number, middle: number, swing: number): number[] {
  return Array.from({ length: count }, () => middle + between(random, -swing, swing));
}

const hills: Motif = (canvas) => {
  const { width: w, height: h, palette, random } = canvas;
  const sun = circle(
    w * between(random, 0.25, 0.75),
    h * between(random, 0.26, 0.42),
    Math.min(w, h) * between(random, 0.1, 0.17),
    palette.accent,
  );
  return [
    sun,
    land(canvas, ridge(random, 5, h * 0.58, h * 0.08), palette.pale),
    land(canvas, ridge(random, 4, h * 0.7, h * 0.07), palette.middle),
    land(canvas, ridge(random, 5, h * 0.85, h * 0.05), palette.ink),
  ].join('');
};

const rain: Motif = (canvas) => {
  const { width: w, height: h, palette, random } = canvas;
  const lines = times(46, () => {
    const x = between(random, -0.05, 1.05) * w;
    const y = between(random, -0.1, 0.78) * h;
    const length = between(random, 0.06, 0.17) * h;
    return segment(
      x,
      y,
      x - length * 0.16,
      y + length,
      pick(random, [palette.pale, palette.middle, palette.middle]),
      w * 0.006,
    );
  });
  const puddles = times(
    3,
    (i) =>
      `<ellipse cx="${w * (0.25 + i * 0.26)}" cy="${h * (0.86 + (i % 2) * 0.05)}" rx="${w * 0.12}" ry="${h * 0.018}" fill="none" stroke="${palette.ink}" stroke-width="${w * 0.006}"/>`,
  );
  const x = w * between(random, 0.38, 0.62);
  const r = w * 0.17;
  const umbrella =
    `<path d="M${x - r} ${h * 0.6}A${r} ${r} 0 0 1 ${x + r} ${h * 0.6}Z" fill="${palette.accent}"/>` +
    stroke(
      `M${x} ${h * 0.6}L${x} ${h * 0.78}a${w * 0.022} ${w * 0.022} 0 0 0 ${w * 0.044} 0`,
      palette.ink,
      w * 0.011,
    );
  return lines + puddles + umbrella;
};

const waves: Motif = ({ width: w, height: h, palette, random }) => {
  const r = w * between(random, 0.09, 0.13);
  const top = h * between(random, 0.42, 0.52);
  let out = circle(w * between(random, 0.3, 0.7), top - r * 0.6, r * 1.5, palette.accent);
  let row = 0;
  for (let y = top; y < h + r; y += r * 0.52, row++)
    for (let x = row % 2 === 0 ? 0 : r; x < w + r; x += r * 2) {
      out += circle(x, y + r, r, palette.ink);
      out += circle(x, y + r, r * 0.9, row % 3 === 1 ? palette.middle : palette.paper);
      out += circle(x, y + r, r * 0.62, row % 3 === 1 ? palette.paper : palette.pale);
      out += circle(x, y + r, r * 0.32, palette.ink);
    }
  return out;
};

const night: Motif = (canvas) => {
  const { width: w, height: h, palette, random } = canvas;
  const x = w * between(random, 0.3, 0.7);
  const r = Math.min(w, h) * 0.15;
  const stars = times(34, () =>
    circle(random() * w, random() * h * 0.65, w * between(random, 0.002, 0.0055), palette.ink),
  );
  return (
    stars +
    circle(x, h * 0.32, r, palette.accent) +
    circle(x + r * 0.42, h * 0.32 - r * 0.2, r * 0.86, palette.paper) +
    land(canvas, ridge(random, 6, h * 0.74, h * 0.06), palette.pale) +
    land(canvas, ridge(random, 4, h * 0.87, h * 0.04), palette.middle)
  );
};

const town: Motif = ({ width: w, height: h, palette, random }) => {
  let out = circle(w * between(random, 0.6, 0.8), h * 0.26, w * 0.1, palette.accent);
  for (const [fill, low, high, window] of [
    [palette.pale, 0.4, 0.6, ''],
    [palette.ink, 0.56, 0.8, palette.accent],
  ] as const) {
    for (let x = -w * 0.02; x < w;) {
      const wide = w * between(random, 0.09, 0.17);
      const top = h * between(random, low, high);
      out += box(x, top, wide, h - top, fill);
      for (let n = 0; n < 6; n++)
        if (window && random() < 0.4)
          out += box(
            x + wide * (n % 2 === 0 ? 0.22 : 0.58),
            top + h * (0.04 + 0.055 * Math.floor(n / 2)),
            wide * 0.18,
            h * 0.022,
            window,
          );
      x += wide + w * 0.008;
    }
  }
  return out;
};

const forest: Motif = ({ width: w, height: h, palette, random }) =>
  circle(w * 0.5, h * 0.4, w * 0.2, palette.accent) +
  times(13, (i) => {
    const x = (i + between(random, 0.1, 0.9)) * (w / 13);
    const wide = w * between(random, 0.018, 0.045);
    return box(x, 0, wide, h, i % 3 === 0 ? palette.ink : i % 3 === 1 ? palette.middle : palette.pale);
  }) +
  box(0, h * 0.88, w, h * 0.12, palette.ink);

const orbits: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * between(random, 0.4, 0.6);
  const y = h * between(random, 0.42, 0.58);
  const unit = Math.min(w, h);
  return (
    times(30, () => circle(random() * w, random() * h, unit * 0.003, palette.middle)) +
    times(4, (i) => {
      const r = unit * (0.18 + i * 0.09);
      const angle = random() * Math.PI * 2;
      return (
        ring(x, y, r, i % 2 === 0 ? palette.middle : palette.pale, unit * 0.005) +
        circle(
          x + Math.cos(angle) * r,
          y + Math.sin(angle) * r,
          unit * between(random, 0.014, 0.034),
          i === 1 ? palette.accent : palette.ink,
        )
      );
    }) +
    circle(x, y, unit * 0.11, palette.accent)
  );
};

const fire: Motif = ({ width: w, height: h, palette, random }) => {
  const tongue = (x: number, base: number, size: number, fill: string) =>
    `<path d="M${x} ${base}C${x - size * 0.75} ${base} ${x - size * 0.55} ${base - size * 0.8} ${x + size * between(random, -0.1, 0.1)} ${base - size * 1.7}C${x + size * 0.05} ${base - size * 1.05} ${x + size * 0.7} ${base - size * 0.8} ${x} ${base}Z" fill="${fill}"/>`;
  const base = h * 0.82;
  return (
    tongue(w * 0.5, base, w * 0.34, palette.middle) +
    tongue(w * 0.42, base, w * 0.22, palette.accent) +
    tongue(w * 0.57, base, w * 0.2, palette.accent) +
    tongue(w * 0.5, base, w * 0.11, palette.ink) +
    segment(w * 0.26, base + h * 0.05, w * 0.74, base, palette.ink, w * 0.03) +
    segment(w * 0.26, base, w * 0.74, base + h * 0.05, palette.ink, w * 0.03) +
    times(12, () =>
      circle(
        w * between(random, 0.25, 0.75),
        h * between(random, 0.06, 0.5),
        w * between(random, 0.004, 0.01),
        palette.accent,
      ),
    )
  );
};

const cat: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * between(random, 0.44, 0.56);
  const r = w * 0.2;
  const y = h * 0.55;
  return (
    circle(w * between(random, 0.7, 0.8), h * 0.24, w * 0.08, palette.accent) +
    polygon(
      [
        [x - r * 0.96, y - r * 0.2],
        [x - r * 0.86, y - r * 1.35],
        [x - r * 0.2, y - r * 0.9],
      ],
      palette.ink,
    ) +
    polygon(
      [
        [x + r * 0.96, y - r * 0.2],
        [x + r * 0.86, y - r * 1.35],
        [x + r * 0.2, y - r * 0.9],
      ],
      palette.ink,
    ) +
    circle(x, y, r, palette.ink) +
    area(
      `M${x - r * 1.1} ${h}C${x - r * 1.2} ${y + r * 1.2} ${x - r * 0.5} ${y + r * 0.7} ${x} ${y + r * 0.7}C${x + r * 0.5} ${y + r * 0.7} ${x + r * 1.2} ${y + r * 1.2} ${x + r * 1.1} ${h}Z`,
      palette.ink,
    ) +
    stroke(
      `M${x + r * 1.05} ${h * 0.97}C${x + r * 2.1} ${h * 0.95} ${x + r * 1.9} ${h * 0.72} ${x + r * 1.6} ${h * 0.7}`,
      palette.ink,
      r * 0.26,
    )
  );
};

export const scenes = { hills, rain, waves, night, town, forest, orbits, fire, cat } satisfies Record<
  string,
  Motif
>;
