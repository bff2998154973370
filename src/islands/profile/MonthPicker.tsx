import type { Month } from '../../../contract/values/months.ts';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { formatMonth } from '../../lib/format.ts';
import { statementPath } from '../../lib/paths.ts';
import {
  $month,
  $monthView,
  NO_MONTH,
  chooseMonth,
  hasEarnedNothing,
  isUnderWay,
  listChoices,
  reloadMonth,
} from '../../stores/rewards/rewards.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { RewardChart } from './RewardChart.tsx';
import { RewardFigure, showCount, showYen } from './RewardFigure.tsx';
import { useStore } from '../ui/use-store.ts';

/** One month's figures (spec §2), with the last twelve selectable if the host sends them. */
export function MonthPicker({ profile }: { profile: Profile | undefined }) {
  const month = useStore($month);
  const view = useStore($monthView, NO_MONTH);
  const isLoading = view.state === 'loading';
  return (
    <div className="mt-1 grid gap-3 border-t border-line pt-4">
      <h3>月ごとの報酬</h3>
      {profile ? <LastMonths profile={profile} chosen={month} /> : <div className="reward-room" />}
      <label className="sr-only" htmlFor="reward-month">
        月
      </label>
      <select
        id="reward-month"
        className="field min-w-0"
        value={month ?? ''}
        disabled={!profile}
        onChange={(event) => chooseMonth((event.currentTarget.value || null) as Month | null)}
      >
        <option value="">月を選んでください</option>
        {profile &&
          listChoices(profile).map((choice) => (
            <option key={choice} value={choice}>
              {formatMonth(choice)}
            </option>
          ))}
      </select>
      <div aria-live="polite" aria-busy={isLoading || undefined}>
        <dl className={`reward-figures ${isLoading ? 'is-old' : ''}`}>
          <RewardFigure label="この月の報酬" value={showYen(view.earnings.reward)} />
          <RewardFigure label="この月のダウンロード数" value={showCount(view.earnings.downloads)} />
        </dl>
        {isUnderWay(month) && view.state === 'ready' && !profile?.pending_days && (
          <p className="form-hint">今月の報酬は、来月に残高へ加わります。</p>
        )}
      </div>
      {month !== null && isExtended() && (
        <a className="button" href={statementPath(month)} aria-label={`${formatMonth(month)}の内訳を見る`}>
          内訳を見る
        </a>
      )}
      {view.state === 'failed' && <LoadFailure error={view.error} onRetry={reloadMonth} />}
    </div>
  );
}

/** The last twelve months, or a hint if they are empty. */
function LastMonths({ profile, chosen }: { profile: Profile; chosen: Month | null }) {
  const { months } = profile;
  if (months?.some(({ reward }) => reward > 0)) return <RewardChart months={months} chosen={chosen} />;
  if (hasEarnedNothing(profile)) {
    return (
      <p className="form-note reward-room">
        まだ報酬はありません。公開したサウンドがダウンロードされると、報酬が貯まります。
      </p>
    );
  }
  return months && <p className="form-note reward-room">直近12か月の報酬はありません。</p>;
}
