import { between } from '../random.ts';
import { area, box, circle, type Motif, polygon, segment, stroke, times } from './shapes.ts';

const dial: Motif = ({ width: w, height: h, palette, random }) => {
  const r = Math.min(w, h) * 0.32;
  const hand = (angle: number, length: number, colour: string, width: number) =>
    segment(w / 2, h / 2, w / 2 + Math.sin(angle) * length, h / 2 - Math.cos(angle) * length, colour, width);
  return (
    circle(w / 2, h / 2, r * 1.12, palette.pale) +
    times(12, (i) => {
      const angle = (i / 12) * Math.PI * 2;
      return segment(
        w / 2 + Math.sin(angle) * r * 0.86,
        h / 2 - Math.cos(angle) * r * 0.86,
        w / 2 + Math.sin(angle) * r,
        h / 2 - Math.cos(angle) * r,
        palette.ink,
        i % 3 === 0 ? r * 0.05 : r * 0.025,
      );
    }) +
    hand(random() * 6.28, r * 0.5, palette.ink, r * 0.07) +
    hand(random() * 6.28, r * 0.76, palette.accent, r * 0.04) +
    circle(w / 2, h / 2, r * 0.07, palette.ink)
  );
};

const cog: Motif = ({ width: w, height: h, palette, random }) => {
  const gear = (x: number, y: number, r: number, teeth: number, fill: string, turn: number) =>
    times(teeth, (i) => {
      const angle = ((i + turn) / teeth) * Math.PI * 2;
      return segment(x, y, x + Math.cos(angle) * r * 1.2, y + Math.sin(angle) * r * 1.2, fill, r * 0.24);
    }) +
    circle(x, y, r, fill) +
    circle(x, y, r * 0.42, palette.paper);
  return (
    gear(w * 0.4, h * 0.44, w * 0.2, 10, palette.ink, random()) +
    gear(w * 0.68, h * 0.68, w * 0.12, 8, palette.accent, random()) +
    gear(w * 0.7, h * 0.3, w * 0.08, 7, palette.middle, random())
  );
};

const door: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w * between(random, 0.34, 0.42);
  return (
    box(0, h * 0.82, w, h * 0.18, palette.pale) +
    box(x, h * 0.18, w * 0.28, h * 0.64, palette.ink) +
    polygon(
      [
        [x, h * 0.18],
        [x + w * 0.17, h * 0.24],
        [x + w * 0.17, h * 0.88],
        [x, h * 0.82],
      ],
      palette.accent,
    ) +
    circle(x + w * 0.14, h * 0.56, w * 0.012, palette.paper)
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

const steps: Motif = ({ width: w, height: h, palette }) =>
  times(7, (i) => {
    const x = w * (0.16 + i * 0.11);
    const y = h * (0.8 - i * 0.1) + (i % 2 === 0 ? h * 0.05 : -h * 0.05);
    const fill = i === 6 ? palette.accent : i < 3 ? palette.middle : palette.ink;
    return `<g transform="rotate(48 ${x} ${y})"><ellipse cx="${x}" cy="${y}" rx="${w * 0.03}" ry="${h * 0.048}" fill="${fill}"/><circle cx="${x}" cy="${y + h * 0.072}" r="${w * 0.021}" fill="${fill}"/></g>`;
  });

const fan: Motif = ({ width: w, height: h, palette, random }) => {
  const y = h * 0.74;
  const r = w * 0.42;
  const blades = 11;
  return (
    times(blades, (i) => {
      const from = Math.PI * (1.1 + (0.8 * i) / blades);
      const to = Math.PI * (1.1 + (0.8 * (i + 1)) / blades);
      const point = (angle: number, length: number) =>
        [w / 2 + Math.cos(angle) * length, y + Math.sin(angle) * length] as const;
      return (
        polygon(
          [point(from, r * 0.3), point(from, r), point(to, r * 0.97), point(to, r * 0.3)],
          i % 2 === 0 ? palette.accent : palette.middle,
        ) + segment(w / 2, y, ...point(from, r * 0.34), palette.ink, w * 0.008)
      );
    }) +
    circle(w / 2, y, w * 0.02, palette.ink) +
    times(5, () =>
      circle(w * between(random, 0.15, 0.85), h * between(random, 0.1, 0.25), w * 0.012, palette.ink),
    )
  );
};

const blade: Motif = ({ width: w, height: h, palette, random }) => {
  const tilt = between(random, 28, 52);
  return (
    stroke(
      `M${w * 0.12} ${h * 0.78}A${w * 0.5} ${w * 0.5} 0 0 1 ${w * 0.78} ${h * 0.14}`,
      palette.pale,
      w * 0.09,
    ) +
    `<g transform="rotate(${tilt} ${w / 2} ${h / 2})">` +
    polygon(
      [
        [w * 0.48, h * 0.64],
        [w * 0.48, h * 0.14],
        [w * 0.5, h * 0.08],
        [w * 0.53, h * 0.14],
        [w * 0.53, h * 0.64],
      ],
      palette.ink,
    ) +
    box(w * 0.42, h * 0.64, w * 0.17, h * 0.03, palette.accent, 6) +
    box(w * 0.486, h * 0.67, w * 0.038, h * 0.16, palette.middle, 6) +
    '</g>'
  );
};

const bell: Motif = ({ width: w, height: h, palette, random }) => {
  const x = w / 2 + w * between(random, -0.05, 0.05);
  const paper = h * 0.62;
  return (
    segment(x, 0, x, h * 0.26, palette.ink, w * 0.006) +
    `<path d="M${x - w * 0.15} ${h * 0.44}A${w * 0.15} ${w * 0.16} 0 1 1 ${x + w * 0.15} ${h * 0.44}Z" fill="${palette.middle}"/>` +
    segment(x, h * 0.4, x, paper, palette.ink, w * 0.006) +
    circle(x, h * 0.47, w * 0.018, palette.ink) +
    `<g transform="rotate(${between(random, -14, 14)} ${x} ${paper})">${box(x - w * 0.045, paper, w * 0.09, h * 0.25, palette.accent)}</g>` +
    times(3, (i) =>
      stroke(
        `M${w * 0.1} ${h * (0.56 + i * 0.1)}q${w * 0.05} ${-h * 0.03} ${w * 0.1} 0t${w * 0.1} 0`,
        palette.pale,
        w * 0.01,
      ),
    )
  );
};

export const objects = { dial, cog, door, cat, steps, fan, blade, bell } satisfies Record<string, Motif>;
