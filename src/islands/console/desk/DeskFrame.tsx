import { type ComponentType, type ReactNode, useEffect } from 'react';
import { onPage } from '../../../browser/page-cache.ts';
import type { Desk, Waiting } from './desk.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { HeldNotice } from './HeldNotice.tsx';
import type { Outcomes } from './outcomes.ts';
import { sendOnLeave } from './send-on-leave.ts';
import { formatSince, formatTime } from '../times.ts';
import { useDeskKeys } from './use-desk-keys.ts';
import { useStore } from '../../ui/use-store.ts';

interface DeskFrameProps<Entry extends Waiting> {
  desk: Pick<Desk<Entry, never>, '$desk' | '$held' | 'open' | 'undo' | 'sendHeld'>;
  outcomes: Outcomes;
  /** More about an entry, after when it was sent. */
  About?: ComponentType<{ entry: Entry }>;
  /** One entry; rendered anew for each, so that its state does not outlive it. */
  children: (entry: Entry) => ReactNode;
}

/** A queue of which one entry is on the screen at a time: where it is in the queue, and the decisions that wait. */
export function DeskFrame<Entry extends Waiting>({ desk, outcomes, About, children }: DeskFrameProps<Entry>) {
  const { state, error, queue, index, decided } = useStore(desk.$desk);
  const { open, sendHeld } = desk;
  const entry = queue[index];
  // The entry on the screen has the keys.
  useDeskKeys(entry === undefined ? [{ key: 'z', act: desk.undo }] : null);
  useEffect(() => {
    void open(new URLSearchParams(location.search).get('id') ?? '');
    const leave = () => void sendHeld();
    document.addEventListener('astro:before-swap', leave, { once: true });
    const ends = [
      sendOnLeave(leave, () => desk.$held.get().length > 0),
      // The queue may have changed, and it is unknown whether a decision has arrived.
      onPage('show', () => void open()),
    ];
    return () => ends.forEach((end) => end());
  }, [open, sendHeld, desk.$held]);
  return (
    <div className="desk">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        {entry && (
          <div className="min-w-0 flex-1">
            <p className="tabular text-sm text-muted" role="status">
              {index + 1} / {queue.length}件目
              {decided > 0 && ` ・ 決めた申請 ${decided}件`}
            </p>
            <h2 id="applicant" tabIndex={-1} className="truncate text-2xl outline-none">
              <bdi>{entry.username}</bdi>
            </h2>
            <p className="text-sm break-words text-muted">
              {formatTime(entry.submitted_at)}に申請（{formatSince(entry.submitted_at)}）
              {About && <About entry={entry} />}
            </p>
          </div>
        )}
        <HeldNotice desk={desk} outcomes={outcomes} />
      </div>
      {state === 'loading' && <p role="status">読み込んでいます…</p>}
      {state === 'failed' && (
        <LoadFailure title="審査の一覧を読み込めませんでした" error={error} onRetry={() => void open()} />
      )}
      {state === 'ready' && entry === undefined && (
        <div className="profile-panel" role="status">
          <p className="text-lg font-semibold">審査を待っている申請はありません</p>
          {decided > 0 && <p>ここまでに{decided}件を決めました。</p>}
          <p>
            <button type="button" className="button" onClick={() => void open()}>
              もう一度確かめる
            </button>
          </p>
        </div>
      )}
      {state === 'ready' && entry && children(entry)}
    </div>
  );
}
