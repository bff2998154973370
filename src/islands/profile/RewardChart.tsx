import type { MonthFigures } from '../../../contract/accounts/profile.ts';
import { formatCount, formatMonth, formatYen } from '../../lib/format.ts';

const MONTHS_MAX = 12;
/** In units of the drawing, which is stretched to the available width. */
const COLUMN = 10;
const BAR = 6;
const HEIGHT = 100;
/** Keeps small amounts visible. */
const HEIGHT_MIN = 2;

interface RewardChartProps {
  /** Newest first. */
  months: readonly MonthFigures[];
  /** The highlighted month; it is chosen beside the chart. */
  chosen: string | null;
}

/** The last twelve months as bars, the newest on the right; a table for screen readers. */
export function RewardChart({ months, chosen }: RewardChartProps) {
  const visible = months.slice(0, MONTHS_MAX).toReversed();
  const top = toRoundTop(Math.max(...visible.map(({ reward }) => reward)));
  return (
    <figure className="reward-chart">
      <figcaption>
        <span>直近12か月の報酬</span>
        <span aria-hidden="true">{formatYen(top)}</span>
      </figcaption>
      <div aria-hidden="true">
        <svg viewBox={`0 0 ${visible.length * COLUMN} ${HEIGHT}`} preserveAspectRatio="none">
          {[0, HEIGHT / 2, HEIGHT].map((y) => (
            <path key={y} className="reward-line" d={`M0 ${y}H${visible.length * COLUMN}`} />
          ))}
          {visible.map(({ month, reward }, index) => {
            const height = reward > 0 ? Math.max(HEIGHT_MIN, (reward / top) * HEIGHT) : 0;
            return (
              <rect
                key={month}
                className={month === chosen ? 'reward-bar is-chosen' : 'reward-bar'}
                x={index * COLUMN + (COLUMN - BAR) / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
              />
            );
          })}
        </svg>
        <div className="reward-ticks">
          {visible.map(({ month }) => (
            <span key={month} className={month === chosen ? 'is-chosen' : undefined}>
              {Number(month.slice(-2))}
            </span>
          ))}
        </div>
      </div>
      <div className="sr-only">
        <table>
          <caption>直近12か月の報酬とダウンロード数</caption>
          <thead>
            <tr>
              <th scope="col">月</th>
              <th scope="col">報酬</th>
              <th scope="col">ダウンロード数</th>
            </tr>
          </thead>
          <tbody>
            {visible.map(({ month, reward, downloads }) => (
              <tr key={month}>
                <th scope="row">{formatMonth(month)}</th>
                <td>{formatYen(reward)}</td>
                <td>{formatCount(downloads)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** The next round number. */
function toRoundTop(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8].find((step) => step * power >= max) ?? 10) * power;
}
