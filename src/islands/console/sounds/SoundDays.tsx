import type { ReviewedSound } from '../../../../contract/operator/sounds.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { Bars } from '../../ui/Bars.tsx';
import { ConsoleTable } from '../ConsoleTable.tsx';
import { formatDay } from '../credits/credit-texts.ts';

/** The downloads of the last days, as bars and as numbers. */
export function SoundDays({ days }: { days: ReviewedSound['days'] }) {
  const sum = days.reduce((total, { downloads }) => total + downloads, 0);
  const top = Math.max(1, ...days.map(({ downloads }) => downloads));
  return (
    <section aria-labelledby="sound-days">
      <h3 id="sound-days" className="text-lg">
        直近{days.length}日間のダウンロード
      </h3>
      <p className="text-sm text-muted">
        合計{formatCount(sum)}回{sum > 0 && ` ・ 最も多い日は${formatCount(top)}回`}
      </p>
      {sum > 0 && (
        <>
          <Bars values={days.map(({ day, downloads }) => [day, downloads])} className="h-24" />
          <details className="sound-numbers mt-2">
            <summary>日ごとの数字</summary>
            <ConsoleTable
              label="日ごとのダウンロードの表"
              columns={['日', { number: 'ダウンロード' }, { number: '計上した報酬' }]}
            >
              {days.toReversed().map(({ day, downloads, yen }) => (
                <tr key={day}>
                  <td className="tabular whitespace-nowrap">{formatDay(day)}</td>
                  <td className="console-number tabular">{formatCount(downloads)}</td>
                  <td className="console-number tabular">{formatYen(yen)}</td>
                </tr>
              ))}
            </ConsoleTable>
          </details>
        </>
      )}
    </section>
  );
}
