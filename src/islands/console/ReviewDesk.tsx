import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReviewedApplication, WaitingApplication } from '../../../contract/operator.ts';
import { useShared } from '../../lib/use-shared.ts';
import {
  $current,
  $desk,
  EMPTY_DESK,
  type Desk,
  decide,
  move,
  openDesk,
  sendHeld,
  togglePark,
  undo,
} from '../../stores/console/console.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { DeskKeys } from './DeskKeys.tsx';
import { HeldNotice } from './HeldNotice.tsx';
import { formatSince, formatTime } from './times.ts';
import { RejectPanel } from './RejectPanel.tsx';
import { ReviewFileRow } from './ReviewFileRow.tsx';
import { type Audition, useAudition } from './use-audition.ts';

const SKIP_MS = 10_000;

/** Quality checks, one application on the screen at a time, by keyboard with one hand. */
export function ReviewDesk() {
  const desk = useShared($desk, EMPTY_DESK);
  const waiting = desk.queue[desk.index];
  useEffect(() => {
    void openDesk(new URLSearchParams(location.search).get('id') ?? '');
    const leave = () => void sendHeld();
    addEventListener('pagehide', leave);
    document.addEventListener('astro:before-swap', leave, { once: true });
    return () => removeEventListener('pagehide', leave);
  }, []);
  return (
    <div className="desk">
      <div className="desk-top">
        {waiting && <Head desk={desk} waiting={waiting} />}
        <HeldNotice />
      </div>
      {desk.state === 'loading' && <p role="status">読み込んでいます…</p>}
      {desk.state === 'failed' && (
        <LoadFailure
          title="審査の一覧を読み込めませんでした"
          error={desk.error}
          onRetry={() => void openDesk()}
        />
      )}
      {desk.state === 'ready' && waiting === undefined && <NothingWaiting decided={desk.decided} />}
      {desk.state === 'ready' && waiting && <Workplace key={waiting.id} />}
    </div>
  );
}

function NothingWaiting({ decided }: { decided: number }) {
  return (
    <div className="profile-panel" role="status">
      <p className="text-lg font-semibold">審査を待っている申請はありません</p>
      {decided > 0 && <p>ここまでに{decided}件を決めました。</p>}
      <p>
        <button type="button" className="button" onClick={() => void openDesk()}>
          もう一度確かめる
        </button>
      </p>
    </div>
  );
}

function Head({ desk, waiting }: { desk: Desk; waiting: WaitingApplication }) {
  const application = useStore($current);
  return (
    <div className="min-w-0 flex-1">
      <p className="tabular text-sm text-muted" role="status">
        {desk.index + 1} / {desk.queue.length}件目
        {desk.decided > 0 && ` ・ 決めた申請 ${desk.decided}件`}
        {waiting.is_parked && ' ・ あとに回した申請'}
      </p>
      <h2 id="applicant" tabIndex={-1} className="truncate text-2xl outline-none">
        <bdi>{waiting.username}</bdi>
      </h2>
      <p className="text-sm break-words text-muted">
        {formatTime(waiting.submitted_at)}に申請（{formatSince(waiting.submitted_at)}）
        {application && ` ・ ${application.types.join('、')} ・ ${application.email}`}
      </p>
    </div>
  );
}

/** One application; what plays and what is typed end with it. */
function Workplace() {
  const application = useStore($current);
  const [audio, audition] = useAudition(application?.files ?? []);
  const [isRejecting, setRejecting] = useState(false);
  const canDecide = application?.allowed.includes('approve') ?? false;

  const actions: Readonly<Record<string, () => void>> = {
    ' ': audition.toggle,
    q: () => audition.skip(-SKIP_MS),
    w: () => audition.skip(SKIP_MS),
    e: () => decide('approve'),
    r: () => setRejecting(canDecide),
    s: () => void togglePark(),
    d: () => move(1),
    a: () => move(-1),
    z: undo,
  };
  useDeskKeys(isRejecting ? null : actions, audition);

  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- music under review */}
      <audio ref={audio} preload="auto" />
      {application === undefined ? (
        <p className="desk-files" aria-busy="true">
          読み込んでいます…
        </p>
      ) : (
        <>
          <ul className="desk-files" aria-label="提出された音声">
            {application.files.map((file) => (
              <ReviewFileRow key={file.slot} file={file} audition={audition} />
            ))}
          </ul>
          <History application={application} />
        </>
      )}
      {isRejecting ? (
        <RejectPanel
          onSend={(reason) => {
            if (decide('reject', reason)) setRejecting(false);
          }}
          onClose={() => {
            setRejecting(false);
            document.getElementById('applicant')?.focus();
          }}
        />
      ) : (
        <DeskKeys
          canDecide={canDecide}
          isParked={application?.allowed.includes('unpark') ?? false}
          isPlaying={audition.isPlaying}
          press={(key) => actions[key]?.()}
        />
      )}
    </>
  );
}

/** One key for each action, while no text is being typed. Null: another part of the page has the keys. */
function useDeskKeys(actions: Readonly<Record<string, () => void>> | null, audition: Audition): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!actions || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.closest('textarea, select, dialog, input:not([type=range])')) return;
    // A focused button or link keeps its own key.
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const action = actions[event.key.toLowerCase()];
    const slot = Number(event.key);
    if (action && !event.repeat) action();
    else if (slot >= 1 && slot <= 6) audition.play(slot);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    // Before the keys of the player.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
}

function History({ application: { history } }: { application: ReviewedApplication }) {
  return (
    <section className="desk-history" aria-labelledby="history-title">
      <h3 id="history-title" className="form-label">
        これまでの審査
      </h3>
      {history.length === 0 ? (
        <p className="text-sm text-muted">はじめての申請です。</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {history.map(({ state, decided_at, reason, decided_by }) => (
            <li key={decided_at}>
              {formatTime(decided_at)} {state === 'approved' ? '合格' : '不合格'}
              {decided_by && `（${decided_by}）`}
              {reason && <p className="text-muted">{reason}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
