import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useState } from 'react';
import type { Span, Statistics } from '../../../../contract/operator/statistics.ts';
import { NETWORKS_MIN } from '../../../../contract/artists/statistics.ts';
import { formatBytes, formatCount, formatYen } from '../../../lib/format.ts';
import { soundPath } from '../../../lib/paths.ts';
import { Bars } from '../../ui/Bars.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { ConsoleTable } from '../ConsoleTable.tsx';

type Figure = Exclude<keyof Span, 'starts_at'>;
type Kind = 'weeks' | 'months';

const formatItems = (count: number) => `${formatCount(count)}件`;
const formatMails = (count: number) => `${formatCount(count)}通`;

const FIGURES: readonly { readonly key: Figure; readonly name: string; format(value: number): string }[] = [
  { key: 'downloads', name: 'ダウンロード', format: (value) => `${formatCount(value)}回` },
  { key: 'yen', name: '報酬', format: formatYen },
  { key: 'sounds', name: '新しいサウンド', format: formatItems },
  { key: 'members', name: '新しいメンバー', format: (value) => `${formatCount(value)}人` },
  { key: 'mails_failed', name: '送れなかったメール', format: formatMails },
  { key: 'refused_checks', name: '不合格の申し込み', format: formatItems },
];
const COLUMNS: typeof FIGURES = [
  ...FIGURES,
  { key: 'credits', name: '報酬になった数', format: (value) => `${formatCount(value)}回` },
  { key: 'sound_bytes', name: 'ファイル', format: (value) => (value === 0 ? '0' : formatBytes(value)) },
  { key: 'mails_sent', name: '送ったメール', format: formatMails },
  { key: 'refused_ids', name: '却下した本人確認', format: formatItems },
  { key: 'removed_sounds', name: '非公開・削除のサウンド', format: formatItems },
];
const KINDS: readonly (readonly [kind: Kind, name: string, last: string])[] = [
  ['weeks', '週ごと', '先週'],
  ['months', '月ごと', '先月'],
];

/** null: not known any more. */
function show(format: (value: number) => string, value: number | null | undefined): string {
  return value === null ? '—' : format(value ?? 0);
}

/** How the site develops by week or month: charts, the same figures as a table, and the most downloaded sounds. */
export function Trends({ statistics }: { statistics: Statistics }) {
  const [kind, setKind] = useState<Kind>('weeks');
  const spans = statistics[kind];
  const before = KINDS.find(([each]) => each === kind)?.[2] ?? '';
  return (
    <section aria-labelledby="trends-title">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="trends-title" className="text-lg">
          推移
        </h2>
        <Chips
          label="期間"
          className="flex gap-2"
          choices={KINDS.map(([each, name]) => [each, name] as const)}
          chosen={kind}
          onChoose={setKind}
        />
      </div>
      <ul className="console-tiles">
        {FIGURES.map(({ key, name, format }) => (
          <li key={key} className="panel console-tile">
            <p className="text-sm">{name}</p>
            <p className="tabular text-2xl font-semibold">{show(format, spans.at(-1)?.[key])}</p>
            <Bars values={spans.map((span) => [span.starts_at, span[key] ?? 0])} />
            <p className="text-sm text-muted">
              {before} {show(format, spans.at(-2)?.[key])}
            </p>
          </li>
        ))}
      </ul>
      <details className="mt-3">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">表で見る</summary>
        <ConsoleTable label="推移の表" columns={['始まり', ...COLUMNS.map(({ name }) => ({ number: name }))]}>
          {spans.toReversed().map((span) => (
            <tr key={span.starts_at}>
              <td className="tabular whitespace-nowrap">{formatStart(span.starts_at, kind)}</td>
              {COLUMNS.map(({ key, format }) => (
                <td key={key} className="console-number tabular">
                  {show(format, span[key])}
                </td>
              ))}
            </tr>
          ))}
        </ConsoleTable>
      </details>
      <Top top={statistics.top} />
      <Missed missed={statistics.missed} />
    </section>
  );
}

function Top({ top }: Pick<Statistics, 'top'>) {
  if (top.length === 0) return null;
  return (
    <>
      <h3 className="mt-6 font-semibold">よくダウンロードされるサウンド</h3>
      <ol className="mt-2 grid gap-1">
        {top.map(({ id, title, artist, downloads }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <a className="link inline-block py-1 wrap-anywhere" href={soundPath(id)}>
              <bdi>{title || UNTITLED}</bdi>
            </a>
            <span className="text-sm text-muted">
              <bdi>{artist}</bdi> ・ <span className="tabular">{formatCount(downloads)}回</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Words only: the number of searches is not disclosed. */
function Missed({ missed }: Pick<Statistics, 'missed'>) {
  return (
    <>
      <h3 className="mt-6 font-semibold">何も見つからなかった検索</h3>
      <p className="text-sm text-muted">
        今月と先月、それぞれ{NETWORKS_MIN}つ以上の回線から検索された言葉です。多い順に表示します。
      </p>
      {missed.length === 0 ? (
        <p className="mt-2">まだありません。</p>
      ) : (
        <ul className="mt-2 flex flex-wrap gap-2">
          {missed.map((word) => (
            <li key={word} className="panel px-3 py-1 wrap-anywhere">
              <bdi>{word}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const days = new Intl.DateTimeFormat('ja-JP', { month: 'short', day: 'numeric', timeZone: 'Asia/Tokyo' });
const months = new Intl.DateTimeFormat('ja-JP', { year: 'numeric', month: 'long', timeZone: 'Asia/Tokyo' });

function formatStart(startsAt: number, kind: Kind): string {
  return kind === 'weeks' ? `${days.format(startsAt)}から` : months.format(startsAt);
}
