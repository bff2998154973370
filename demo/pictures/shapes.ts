import type { Random } from '../random.ts';
import type { Palette } from './palettes.ts';

/** What a motif draws on: pixels from the top left. */
export interface Canvas {
  width: number;
  height: number;
  palette: Palette;
  random: Random;
}

/** Draws an abstract picture as SVG elements; the background is already filled. */
export type Motif = (canvas: Canvas) => string;

const round = (value: number) => Math.round(value * 10) / 10;

export function circle(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}"/>`;
}

export function ring(x: number, y: number, radius: number, stroke: string, width: number): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="none" stroke="${stroke}" stroke-width="${round(width)}"/>`;
}

export function box(x: number, y: number, width: number, height: number, fill: string, corner = 0): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(corner)}" fill="${fill}"/>`;
}

export function polygon(points: readonly (readonly [number, number])[], fill: string): string {
  return `<polygon points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" fill="${fill}"/>`;
}

export function stroke(path: string, colour: string, width: number): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${round(width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

export function area(path: string, fill: string): string {
  return `<path d="${path}" fill="${fill}"/>`;
}

export function segment(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  width: number,
): string {
  return stroke(`M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`, colour, width);
}

/** A filled land below a wavy line through `heights`, evenly spaced from edge to edge. */
export function land(canvas: Canvas, heights: readonly number[], fill: string): string {
  const step = canvas.width / (heights.length - 1);
  let path = `M0 ${round(heights[0] ?? 0)}`;
  for (let i = 1; i < heights.length; i++) {
    const x = i * step;
    const before = heights[i - 1] ?? 0;
    const here = heights[i] ?? 0;
    path += `C${round(x - step / 2)} ${round(before)} ${round(x - step / 2)} ${round(here)} ${round(x)} ${round(here)}`;
  }
  return area(`${path}L${canvas.width} ${canvas.height}L0 ${canvas.height}Z`, fill);
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}
