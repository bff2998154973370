import { useEffect } from 'react';
import { type Overview, QUEUE_COUNT_MAX, type QueueName } from '../../../../contract/operator/operator.ts';
import { formatBytes, formatCount, formatYen } from '../../../lib/format.ts';
import { Backups } from './Backups.tsx';
import { $overview, $statistics } from './overview.ts';
import { Trends } from './Trends.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { formatSince } from '../times.ts';
import { Loaded } from '../Loaded.tsx';

/** The dashboard is read again this often while it is visible. */
const REFRESH_MS = 30_000;

const QUEUES: Readonly<Record<QueueName, { readonly name: string; readonly href: string }>> = {
  'quality-checks': { name: 'クオリティチェック', href: '/operator/quality-checks' },
  'personal-info': { name: '本人確認', href: '/operator/personal-info' },
  transfers: { name: '送金依頼', href: '/operator/payouts' },
  credits: { name: '保留中の報酬', href: '/operator/credits' },
  reports: { name: '権利の報告', href: '/operator/reports' },
  uses: { name: '報告された使用作品', href: '/operator/reports' },
  'failed-mails': { name: '届かなかったメール', href: '/operator/mails?state=given-up' },
};

/** What is waiting, today's figures and the room that is left. */
export function OverviewPanel() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') $overview.revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid grid-cols-1 gap-8">
      <Loaded query={$overview} title="概要を読み込めませんでした">
        {(overview) => <Board overview={overview} />}
      </Loaded>
      <Loaded query={$statistics} title="推移を読み込めませんでした">
        {(statistics) => <Trends statistics={statistics} />}
      </Loaded>
    </div>
  );
}

function Board({ overview }: { overview: Overview }) {
  return (
    <div className="grid grid-cols-1 gap-8">
      <Problems problems={overview.problems} />
      <Queues queues={overview.queues} />
      <Figures title="今日" figures={toToday(overview.today)} />
      <Figures
        title="データの保存"
        figures={[
          ['データベース', formatSize(overview.storage.database)],
          ['ディスクの空き', formatSize(overview.storage.free)],
        ]}
      />
      <Backups backups={overview.backups} />
    </div>
  );
}

/** Only what fails; nothing when all is well. */
function Problems({ problems }: Pick<Overview, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <section className="panel console-problems" aria-labelledby="problems-title">
      <h2 id="problems-title" className="flex items-center gap-2 text-lg">
        <Icon name="warning" className="size-6 flex-none text-danger" />
        確かめてください
      </h2>
      <ul>
        {problems.map(({ name, text, count }) => (
          <li key={name}>
            {text}
            {count > 1 && `（${formatCount(count)}件）`}
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        くわしい内容と直し方は <code>npm run operator -- doctor</code> で表示されます。
      </p>
    </section>
  );
}

/** The queues in which something waits, the others in one line. */
function Queues({ queues }: Pick<Overview, 'queues'>) {
  const waiting = queues.filter(({ count }) => count > 0);
  const empty = queues.filter(({ count }) => count === 0);
  return (
    <section aria-labelledby="queues-title">
      <h2 id="queues-title" className="text-lg">
        待っているもの
      </h2>
      {waiting.length > 0 && (
        <ul className="console-tiles">
          {waiting.map((queue) => (
            <li key={queue.name} className="panel console-tile">
              <p className="text-sm">
                <QueueName name={queue.name} />
              </p>
              <p className="tabular text-3xl font-semibold">
                {formatCount(queue.count)}
                {queue.count === QUEUE_COUNT_MAX && '+'}
                <span className="text-base font-normal">件</span>
              </p>
              {queue.oldest_at !== null && (
                <p className="text-sm text-muted">{formatSince(queue.oldest_at)}から</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {empty.length > 0 && (
        <>
          <p className="mt-3 text-sm text-muted">
            {waiting.length > 0 ? 'ほかに待っているものはありません。' : '待っているものはありません。'}
          </p>
          <ul className="flex flex-wrap gap-x-4 text-sm">
            {empty.map(({ name }) => (
              <li key={name}>
                <QueueName name={name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function QueueName({ name }: { name: QueueName }) {
  const queue = QUEUES[name];
  return (
    <a className="link inline-block py-2" href={queue.href}>
      {queue.name}
    </a>
  );
}

function toToday(today: Overview['today']): [name: string, value: string][] {
  return [
    ['ダウンロード', `${formatCount(today.downloads)}回`],
    ['報酬になった数', `${formatCount(today.credits)}回`],
    ['報酬', formatYen(today.credited_yen)],
    ['保留', `${formatCount(today.held)}回`],
    ['対象外', `${formatCount(today.refused)}回`],
  ];
}

const GB = 1_000_000_000;

/** `76.1 GB` */
function formatSize(bytes: number): string {
  return bytes < GB ? formatBytes(bytes) : `${(bytes / GB).toFixed(1)} GB`;
}

function Figures({ title, figures }: { title: string; figures: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h2 className="text-lg">{title}</h2>
      <dl className="mt-3 flex flex-wrap gap-x-10 gap-y-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="tabular text-xl font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
