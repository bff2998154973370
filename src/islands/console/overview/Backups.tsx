import type { Overview } from '../../../../contract/operator/operator.ts';
import { formatCount } from '../../../lib/format.ts';
import { formatSince } from '../times.ts';

type Backup = Overview['backups'][number];

const CONDITIONS: Readonly<Record<Backup['condition'], string>> = {
  working: '正常',
  failing: '失敗しています',
  overdue: '遅れています',
  silent: '3時間以上、連絡がありません',
};

/** The folders of backups of all machines; each has its state, last backup, verification and restore on trial. */
export function Backups({ backups }: Pick<Overview, 'backups'>) {
  return (
    <section aria-labelledby="backups-title">
      <h2 id="backups-title" className="text-lg">
        バックアップ
      </h2>
      {backups.length === 0 && <p className="mt-3 text-muted">バックアップはまだありません。</p>}
      <ul className="mt-3 grid gap-6">
        {backups.map((backup) => (
          <li key={`${backup.host} ${backup.folder}`}>
            <p className="text-sm break-all">
              {backup.host}: {backup.folder ?? 'コマンドで作成'}
            </p>
            <dl className="mt-2 flex flex-wrap gap-x-10 gap-y-4">
              {toFigures(backup).map(({ name, value, isWrong = false }) => (
                <div key={name}>
                  <dt className="text-sm text-muted">{name}</dt>
                  <dd className={`tabular text-xl font-semibold ${isWrong ? 'text-danger' : ''}`}>{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly isWrong?: boolean;
}

function toFigures({ condition, last_at, verified_at, drill, has_erasures }: Backup): readonly Figure[] {
  return [
    { name: '状態', value: CONDITIONS[condition], isWrong: condition !== 'working' },
    { name: '最後のバックアップ', value: toAge(last_at) },
    { name: '最後の検査', value: toAge(verified_at) },
    { name: '復元の訓練', value: toDrill(drill), isWrong: drill?.is_good === false },
    ...(has_erasures ? [] : [{ name: '消去の一覧', value: '書き込めません', isWrong: true }]),
  ];
}

function toDrill(drill: Backup['drill']): string {
  if (drill === null) return 'まだありません';
  const since = formatSince(drill.at);
  return drill.is_good ? `成功（${since}、${formatCount(drill.seconds)}秒）` : `失敗（${since}）`;
}

function toAge(atMs: number | null): string {
  return atMs === null ? 'まだありません' : formatSince(atMs);
}
