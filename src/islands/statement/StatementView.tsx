import { useEffect } from 'react';
import type { Month } from '../../../contract/values/months.ts';
import { formatCount, formatMonth, formatYen } from '../../lib/format.ts';
import { $profile } from '../../stores/profile/profile.ts';
import {
  $month,
  $statementView,
  chooseStatementMonth,
  listStatementMonths,
  openStatement,
  reloadStatement,
  saveStatement,
} from '../../stores/rewards/rewards.ts';
import type { StatementView as View } from '../../stores/rewards/rewards.ts';
import { Icon } from '../ui/Icon.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { OwnDownloadsNote } from './OwnDownloadsNote.tsx';
import { StatementTable } from './StatementTable.tsx';
import { useStore } from '../ui/use-store.ts';

const OPENING: View = { state: 'loading', statement: null };

/** A month's earnings by sound, on screen, for printing and as a download. */
export function StatementView() {
  const view = useStore($statementView, OPENING);
  const { data: profile } = useStore($profile);
  useEffect(() => openStatement(), []);
  return (
    <section className="profile-panel statement" aria-labelledby="statement-title">
      <a className="link statement-back inline-flex min-h-11 items-center justify-self-start" href="/profile">
        プロフィールに戻る
      </a>
      <h1 id="statement-title">報酬の内訳</h1>
      {profile && <p className="statement-owner">{profile.username}</p>}
      <StatementTools view={view} />
      <StatementBody view={view} />
      <OwnDownloadsNote />
    </section>
  );
}

function StatementTools({ view }: { view: View }) {
  const month = useStore($month);
  const { data: profile } = useStore($profile);
  const statement = view.state === 'ready' && view.statement.sounds.length > 0 ? view.statement : null;
  return (
    <div className="statement-tools">
      <label className="sr-only" htmlFor="statement-month">
        月
      </label>
      <select
        id="statement-month"
        className="field"
        value={month ?? ''}
        disabled={!profile}
        onChange={(event) => chooseStatementMonth(event.currentTarget.value as Month)}
      >
        {listStatementMonths(profile, month).map((choice) => (
          <option key={choice} value={choice}>
            {formatMonth(choice)}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button"
        disabled={!statement}
        onClick={() => statement && saveStatement(statement)}
      >
        <Icon name="download" className="size-5" />
        CSVをダウンロード
      </button>
    </div>
  );
}

function StatementBody({ view }: { view: View }) {
  if (view.state === 'failed')
    return <LoadFailure title="読み込めませんでした" error={view.error} onRetry={reloadStatement} />;
  const { statement, state } = view;
  const isLoading = state === 'loading';
  return (
    <div
      className={isLoading ? 'statement-body is-old' : 'statement-body'}
      aria-busy={isLoading || undefined}
    >
      <p className="sr-only" role="status">
        {state === 'ready' && summarize(view.statement)}
      </p>
      {statement === null && <StatementRoom />}
      {statement?.sounds.length === 0 && (
        <p className="form-note">{formatMonth(statement.month)}の報酬はありません。</p>
      )}
      {statement && statement.sounds.length > 0 && <StatementTable statement={statement} />}
    </div>
  );
}

/** Reserves the space of a statement that is loading. */
function StatementRoom() {
  return ['w-1/2', 'w-full', 'w-5/6', 'w-2/3'].map((width) => (
    <span key={width} className={`profile-bar ${width}`} />
  ));
}

function summarize({
  month,
  reward,
  downloads,
  sounds,
}: Extract<View, { state: 'ready' }>['statement']): string {
  return sounds.length === 0
    ? `${formatMonth(month)}の報酬はありません。`
    : `${formatMonth(month)}の報酬は${formatYen(reward)}、ダウンロード数は${formatCount(downloads)}です。`;
}
