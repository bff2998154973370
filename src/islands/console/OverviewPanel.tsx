import { useEffect } from 'react';
import type { Overview, QueueName } from '../../../contract/operator.ts';
import { formatBytes, formatCount, formatYen } from '../../lib/format.ts';
import { useShared } from '../../lib/use-shared.ts';
import { $overview } from '../../stores/console/console.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { formatSince } from './times.ts';

/** The dashboard is read again this often while it is visible. */
const REFRESH_MS = 30_000;

const QUEUES: Readonly<
  Record<QueueName, { readonly name: string; readonly href?: string; readonly command: string }>
> = {
  'quality-checks': {
    name: 'クオリティチェック',
    href: '/operator/quality-checks',
    command: 'quality-checks list',
  },
  'personal-info': { name: '本人確認', command: 'personal-info list' },
  transfers: { name: '送金依頼', href: '/operator/payouts', command: 'transfers list' },
  credits: { name: '保留中の報酬', command: 'credits list' },
  'failed-mails': { name: '届かなかったメール', command: 'mail list' },
};

/** What is waiting, today's figures and the room that is left. */
export function OverviewPanel() {
  const { data, error } = useShared($overview, { loading: true });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') $overview.revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">読み込んでいます…</p>
    ) : (
      <LoadFailure title="概要を読み込めませんでした" error={error} onRetry={() => $overview.revalidate()} />
    );
  }
  return (
    <div className="grid gap-8">
      <Queues queues={data.queues} />
      <Figures title="今日" figures={toToday(data.today)} />
      <Figures
        title="保存場所"
        figures={[
          ['データベース', formatSize(data.storage.database)],
          ['ディスクの空き', formatSize(data.storage.free)],
        ]}
      />
    </div>
  );
}

function Queues({ queues }: Pick<Overview, 'queues'>) {
  return (
    <section aria-labelledby="queues-title">
      <h2 id="queues-title" className="text-lg">
        待っているもの
      </h2>
      <ul className="console-tiles">
        {queues.map(({ name, count, oldest_at }) => {
          const queue = QUEUES[name];
          return (
            <li key={name} className={count > 0 ? 'console-tile is-waiting' : 'console-tile'}>
              <p className="text-sm">
                {queue.href ? (
                  <a className="link" href={queue.href}>
                    {queue.name}
                  </a>
                ) : (
                  queue.name
                )}
              </p>
              <p className="tabular text-3xl font-semibold">
                {formatCount(count)}
                <span className="text-base font-normal">件</span>
              </p>
              <p className="text-sm text-muted">
                {oldest_at === null
                  ? '待っているものはありません'
                  : `いちばん古いものは${formatSince(oldest_at)}`}
              </p>
              {count > 0 && !queue.href && <code className="console-command">{queue.command}</code>}
            </li>
          );
        })}
      </ul>
    </section>
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
      <dl className="console-figures">
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
