import { useEffect } from 'react';
import type { OwnStatistics, Span } from '../../../contract/artists/statistics.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { formatMonth } from '../../lib/format.ts';
import { DELETED_SOUND } from '../../lib/statistics-csv.ts';
import {
  $choice,
  $statisticsView,
  chooseStatistics,
  listStatisticsMonths,
  openStatistics,
  reloadStatistics,
} from '../../stores/statistics/statistics.ts';
import type { StatisticsView as View } from '../../stores/statistics/statistics.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { useStore } from '../ui/use-store.ts';
import { PartTable, SoundTable } from './FigureTables.tsx';
import { FigureTiles } from './FigureTiles.tsx';
import { Sources, Words } from './Origins.tsx';

const OPENING: View = { state: 'loading', statistics: null };

/** Statistics of a member's sounds: charts, the same figures as tables, and where plays came from. */
export function StatisticsView() {
  const view = useStore($statisticsView, OPENING);
  useEffect(openStatistics, []);
  return (
    <section className="profile-panel statistics" aria-labelledby="statistics-title">
      <a
        className="link statistics-back inline-flex min-h-11 items-center justify-self-start"
        href="/profile"
      >
        プロフィールに戻る
      </a>
      <h1 id="statistics-title">サウンドの統計</h1>
      <Choice view={view} />
      {view.state === 'failed' ? (
        <LoadFailure title="読み込めませんでした" error={view.error} onRetry={reloadStatistics} />
      ) : (
        <Body view={view} />
      )}
    </section>
  );
}

function Choice({ view }: { view: View }) {
  const choice = useStore($choice);
  // Not while hydrating: a month may have begun since the server rendered the page.
  const months = choice ? listStatisticsMonths() : [];
  const span = choice?.span ?? 'days';
  return (
    <>
      <div className="statistics-tools">
        <label htmlFor="statistics-span">期間</label>
        <select
          id="statistics-span"
          className="field"
          value={span}
          disabled={choice === null}
          onChange={(event) => chooseStatistics({ span: event.currentTarget.value as Span })}
        >
          <option value="days">直近30日</option>
          <option value="year">直近12か月</option>
          {[...months, ...(isOther(span, months) ? [span] : [])].map((month) => (
            <option key={month} value={month}>
              {formatMonth(month)}
            </option>
          ))}
        </select>
      </div>
      {choice && choice.sound !== '' && (
        <p className="statistics-sound">
          <span>
            「<bdi>{nameSound(view, choice.sound)}</bdi>」だけの数です。
          </span>
          <button type="button" className="button" onClick={() => chooseStatistics({ sound: '' })}>
            すべてのサウンドを見る
          </button>
        </p>
      )}
    </>
  );
}

const isOther = (span: Span, months: readonly string[]) =>
  span !== 'days' && span !== 'year' && !months.includes(span);

function nameSound(view: View, soundId: string): string {
  const sounds = view.state === 'failed' ? [] : (view.statistics?.sounds ?? []);
  const sound = sounds.find(({ sound_id }) => sound_id === soundId);
  return sound === undefined
    ? 'このサウンド'
    : sound.title === null
      ? DELETED_SOUND
      : sound.title || UNTITLED;
}

function Body({ view: { state, statistics } }: { view: Exclude<View, { state: 'failed' }> }) {
  const isLoading = state === 'loading';
  return (
    <div
      className={isLoading ? 'statistics-body is-old' : 'statistics-body'}
      aria-busy={isLoading || undefined}
    >
      <p className="sr-only" role="status">
        {!isLoading && statistics && '統計を表示しました。'}
      </p>
      {statistics === null ? <Room /> : <Figures statistics={statistics} />}
    </div>
  );
}

function Figures({ statistics }: { statistics: OwnStatistics }) {
  return (
    <>
      <FigureTiles statistics={statistics} />
      <div className="statistics-origins">
        <Sources sources={statistics.sources} />
        <Words words={statistics.words} />
      </div>
      <SoundTable statistics={statistics} />
      <PartTable statistics={statistics} />
      <ul className="statistics-notes">
        <li>再生は、5秒以上または最後まで聴かれた数です。同じ日のくり返しや、ご自身の再生は含みません。</li>
        <li>ダウンロードは公開の数と同じで、報酬の対象にならなかったものも含みます。</li>
        <li>お気に入りは、その日に加わり、いまも登録されている数です。</li>
      </ul>
    </>
  );
}

/** Reserves the space of figures that are loading. */
function Room() {
  return ['w-1/2', 'w-full', 'w-5/6', 'w-2/3'].map((width) => (
    <span key={width} className={`profile-bar ${width}`} />
  ));
}
