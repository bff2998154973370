import { median, quantile } from '../quantiles.ts';

export const SITES = ['yardstick', 'ours', 'remote'] as const;
/** `yardstick`: the page written by hand. `ours`: with its own API. `remote`: with the API in another process, or another checkout. */
export type SiteName = (typeof SITES)[number];

/** What was measured on each site; the values at one index were measured directly after one another. */
export type Samples = Readonly<Record<SiteName, readonly number[]>>;

/** A line of the table. */
export interface Row {
  readonly label: string;
  readonly samples: Samples;
  /** A value as text; default: rounded. */
  readonly format?: (value: number) => string;
  /** How a value is compared with the yardstick's; default: not at all. */
  readonly compare?: 'ratio' | 'difference';
}

/** A Markdown table: the median with the quartiles, and the median of the comparisons in pairs. */
export function toTable(title: string, rows: readonly Row[], against?: string): string {
  const last = against === undefined ? 'ours, API on another host' : against;
  const base = against === undefined ? 'hand-written' : 'ours';
  const head = `| ${title} | hand-written | ours | against hand-written | ${last} | against ${base} |`;
  const toRow = (row: Row) => toLine(row, against === undefined ? 'yardstick' : 'ours');
  return [head, '|---|---|---|---|---|---|', ...rows.map(toRow)].join('\n');
}

/** `base`: what the third site is compared with. */
function toLine({ label, samples, format = toWhole, compare }: Row, base: SiteName): string {
  const [yardstick, ours, remote] = SITES.map((site) => toCell(samples[site], format));
  const first = toComparison(samples.yardstick, samples.ours, format, compare);
  const second = toComparison(samples[base], samples.remote, format, compare);
  return `| ${label} | ${yardstick} | ${ours} | ${first} | ${remote} | ${second} |`;
}

function toCell(values: readonly number[], format: (value: number) => string): string {
  if (values.length === 0) return '–';
  const middle = format(median(values));
  const [lower, upper] = [format(quantile(values, 0.25)), format(quantile(values, 0.75))];
  return lower === upper ? middle : `${middle} (${lower}–${upper})`;
}

function toComparison(
  yardstick: readonly number[],
  values: readonly number[],
  format: (value: number) => string,
  compare: Row['compare'],
): string {
  if (compare === undefined || values.length === 0 || yardstick.length === 0) return '–';
  const pairs = values.map((value, index) => [value, yardstick[index] ?? Number.NaN] as const);
  if (compare === 'ratio') return `×${median(pairs.map(([value, base]) => value / base)).toFixed(2)}`;
  const difference = median(pairs.map(([value, base]) => value - base));
  return `${difference < 0 ? '−' : '+'}${format(Math.abs(difference))}`;
}

function toWhole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
