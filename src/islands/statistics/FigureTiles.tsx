import type { OwnStatistics, Part } from '../../../contract/artists/statistics.ts';
import { formatCount, formatYen } from '../../lib/format.ts';
import { FIGURES } from '../../lib/statistics-csv.ts';
import { Bars } from '../ui/Bars.tsx';
import { formatDay, formatPart } from './days.ts';

type Figure = Exclude<keyof Part, 'starts_on'>;

const UNITS = { plays: '回', downloads: '回', favorites: '件', certificates: '枚', uses: '件' };
const TILES: readonly { readonly key: Figure; readonly name: string; format(value: number): string }[] = [
  ...FIGURES.map(({ key, name }) => ({
    key,
    name,
    format: (value: number) => `${formatCount(value)}${UNITS[key]}`,
  })),
  { key: 'reward', name: '報酬', format: formatYen },
];

/** Each figure of the span: its sum, a bar for each day or month, its best one, and the sum of the span before. */
export function FigureTiles({ statistics: { parts, before, unit } }: { statistics: OwnStatistics }) {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return null;
  return (
    <section aria-label="期間の合計">
      <p className="text-sm text-muted">
        {formatPart(first, unit)}から{formatPart(last, unit)}まで。前の期間は、{formatDay(before.starts_on)}
        から
        {formatDay(before.ends_on)}までです。
      </p>
      <ul className="statistics-tiles">
        {TILES.filter(({ key }) => first[key] !== null).map(({ key, name, format }) => (
          <li key={key} className="panel statistics-tile">
            <h2>{name}</h2>
            <p className="tabular text-2xl font-semibold">{format(sum(parts, key))}</p>
            <p className="text-sm text-muted">
              前の期間 {format(before[key] ?? 0)}
              <Change now={sum(parts, key)} before={before[key] ?? 0} />
            </p>
            <Bars values={parts.map((part, index) => [index, part[key] ?? 0])} className="h-20" />
            <p className="text-sm text-muted">{describeBest(parts, key, unit, format)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nothing to compare with is no change. */
function Change({ now, before }: { now: number; before: number }) {
  if (before <= 0 || now === before) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return (
    <span className="tabular">
      （{percent > 0 ? '+' : ''}
      {formatCount(percent)}%）
    </span>
  );
}

function describeBest(
  parts: readonly Part[],
  key: Figure,
  unit: OwnStatistics['unit'],
  format: (value: number) => string,
): string {
  const [best] = parts.toSorted((one, other) => (other[key] ?? 0) - (one[key] ?? 0));
  if (!best || (best[key] ?? 0) <= 0) return 'この期間にはありません';
  return `最多 ${formatPart(best, unit)} ${format(best[key] ?? 0)}`;
}

function sum(parts: readonly Part[], key: Figure): number {
  return parts.reduce((total, part) => total + (part[key] ?? 0), 0);
}
