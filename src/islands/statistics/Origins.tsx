import type { CSSProperties } from 'react';
import type { PlaySource } from '../../../contract/sounds/plays.ts';
import { NETWORKS_MIN, type OwnStatistics } from '../../../contract/artists/statistics.ts';
import { formatCount } from '../../lib/format.ts';

const SOURCES: Readonly<Record<PlaySource, string>> = {
  list: '一覧',
  search: '検索',
  similar: '似た音',
  artist: 'アーティストのページ',
  sound: 'サウンドのページ',
  embed: '埋め込み（ほかのサイト）',
  feed: 'フィード',
  elsewhere: 'そのほか',
};

/** Where plays began, most frequent first, with a bar for the share of each. */
export function Sources({ sources }: Pick<OwnStatistics, 'sources'>) {
  const total = sources.reduce((sum, { plays }) => sum + plays, 0);
  return (
    <section aria-labelledby="statistics-sources">
      <h2 id="statistics-sources">どこから再生されたか</h2>
      {total === 0 && <p className="form-note">この期間の再生はまだありません。</p>}
      <ul className="statistics-bars">
        {sources.map(({ source, plays }) => (
          <li key={source} style={{ '--share': plays / total } as CSSProperties}>
            <span>{SOURCES[source]}</span>
            <span className="tabular">
              {formatCount(plays)}回（{Math.round((plays / total) * 100)}%）
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Words({ words }: Pick<OwnStatistics, 'words'>) {
  return (
    <section aria-labelledby="statistics-words">
      <h2 id="statistics-words">見つかった言葉</h2>
      <p className="form-hint">
        検索して再生された言葉を、月ごとに{NETWORKS_MIN}つ以上の回線で使われたものに限って表示します。
      </p>
      {words.length === 0 ? (
        <p className="form-note">この期間に表示できる言葉はまだありません。</p>
      ) : (
        <ul className="statistics-words">
          {words.map(({ word, plays }) => (
            <li key={word}>
              <bdi>{word}</bdi> <span className="tabular text-muted">{formatCount(plays)}回</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
