import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useState } from 'react';
import type { ReportAction, ReportDetails } from '../../../../contract/operator/reports.ts';
import { REASON_LABELS } from '../../../../contract/reports.ts';
import { formatCount } from '../../../lib/format.ts';
import { artistPath, soundPath } from '../../../lib/paths.ts';
import { toEventText } from '../../../lib/report-texts.ts';
import { decideOnReports } from './reports.ts';
import { ReportFacts } from '../../reports/ReportFacts.tsx';
import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { Icon } from '../../ui/Icon.tsx';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { ACTION_TEXTS, listEffects, toDeadline, toStateName } from './report-texts.ts';
import { formatTime } from '../times.ts';

/** One report: the sound, what both sides wrote, what happened, and the decisions that the server allows. */
export function ReportView({ report }: { report: ReportDetails }) {
  const { artist, others } = report;
  return (
    <article className="panel report-view" aria-labelledby="report-title">
      <header>
        <p className="report-state">
          {report.is_overdue && <Icon name="warning" className="size-4 flex-none text-danger" />}
          <span className="font-semibold">{toStateName(report)}</span>
          <span className="tabular text-muted">{toDeadline(report)}</span>
        </p>
        <h2 ref={focusOnMount} id="report-title" tabIndex={-1} className="text-xl wrap-anywhere outline-none">
          <bdi>{report.sound_title || UNTITLED}</bdi>
        </h2>
        <p className="text-sm">
          投稿者：
          {artist === null ? (
            '（退会済み）'
          ) : (
            <a className="link" href={artistPath(artist)}>
              <bdi>{artist}</bdi>
            </a>
          )}
        </p>
      </header>
      {report.state === 'waiting' && report.asking === 'held' && (
        <p className="form-note">
          この投稿者への報告か、同じところからの報告が多いため、投稿者にはまだ知らせていません。内容を確かめて、知らせるかどうかを決めてください。
        </p>
      )}
      <Sound report={report} />
      {others > 0 && (
        <p className="flex items-center gap-2 text-sm">
          <Icon name="warning" className="size-5 flex-none text-danger" />
          このサウンドには、終わっていない報告がほかに{formatCount(others)}件あります。
        </p>
      )}
      <ReportFacts
        facts={[
          ['理由', REASON_LABELS[report.reason]],
          ['説明', report.explanation],
          ['報告者', `${report.name}（${report.email}${report.is_confirmed ? '' : '、未確認'}）`],
          ['権利との関係', report.relation],
          ['投稿者への名前の開示', report.shares_name ? '伝えてよい' : '伝えない'],
          ['投稿者の回答', report.answer],
          ['受付番号', report.id],
        ]}
      />
      <section aria-labelledby="report-history-title">
        <h3 id="report-history-title" className="form-label">
          これまでの経過
        </h3>
        <ol className="report-history text-sm">
          {report.history.map(({ event, state, at, reason, by }) => (
            <li key={`${at} ${event}`}>
              <span className="tabular text-muted">{formatTime(at)}</span>
              <span>
                {toEventText(event, state)}
                {by && (
                  <>
                    （<bdi>{by}</bdi>）
                  </>
                )}
              </span>
              {reason !== '' && <span className="wrap-anywhere">理由：{reason}</span>}
            </li>
          ))}
        </ol>
      </section>
      <Decision report={report} />
    </article>
  );
}

function Sound({ report: { audio, sound } }: { report: ReportDetails }) {
  if (audio === null) return <p className="form-note">サウンドは削除されています。</p>;
  const visibility = audio.is_hidden ? '運営者が非公開にしています' : audio.is_public ? '公開中' : '非公開';
  return (
    <div className="report-sound">
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- music */}
      <audio controls preload="none" src={audio.url} aria-label="報告されたサウンド" />
      <p className="text-sm text-muted">
        {visibility} ・ ダウンロード {formatCount(audio.downloads)}回 ・ お気に入り{' '}
        {formatCount(audio.favorites)}件
        {audio.is_public && (
          <>
            {' ・ '}
            <a className="link" href={soundPath(sound)}>
              サウンドのページ
            </a>
          </>
        )}
      </p>
    </div>
  );
}

function Decision({ report }: { report: ReportDetails }) {
  const { allowed, is_own } = report;
  const [action, setAction] = useState<ReportAction | null>(null);
  const texts = action && ACTION_TEXTS[action];
  if (is_own) return <p className="form-note">ご自身のサウンドについての報告は判断できません。</p>;
  if (allowed.length === 0) return null;
  return (
    <>
      <div className="flex flex-wrap gap-2 border-t border-line pt-4" role="group" aria-label="判断">
        {allowed.map((each) => (
          <button key={each} type="button" className="button" onClick={() => setAction(each)}>
            {ACTION_TEXTS[each].name}…
          </button>
        ))}
      </div>
      <DecisionDialog
        key={action}
        title={texts?.title ?? ''}
        effect={
          <>
            <p className="font-semibold wrap-anywhere">
              <bdi>{report.sound_title || UNTITLED}</bdi>
            </p>
            {action && listEffects(action, report).map((text) => <p key={text}>{text}</p>)}
          </>
        }
        verb={texts?.name ?? ''}
        isFinal={action === 'delete'}
        reasons={texts?.reasons}
        isOpen={action !== null}
        onClose={() => setAction(null)}
        onSend={async (reason) => {
          if (action && (await decideOnReports([report], action, reason))) setAction(null);
        }}
      />
    </>
  );
}
