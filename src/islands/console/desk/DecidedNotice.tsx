import { Icon } from '../../ui/Icon.tsx';
import type { Outcomes } from './outcomes.ts';
import { formatTime } from '../times.ts';

interface DecidedNoticeProps {
  entry: {
    readonly state: 'pending' | 'approved' | 'rejected';
    readonly decided_at: number | null;
    readonly decided_by: string | null;
    readonly reason?: string;
  };
  outcomes: Outcomes;
}

/** Says that somebody else has decided on the entry on the screen meanwhile. */
export function DecidedNotice({
  entry: { state, decided_at, decided_by, reason = '' },
  outcomes,
}: DecidedNoticeProps) {
  const outcome = state === 'approved' ? outcomes.approve : outcomes.reject;
  return (
    <div role="status">
      {state !== 'pending' && (
        <p className="form-note form-problem">
          <Icon name="warning" className="size-5 flex-none" />
          <span>
            <bdi>{decided_by ?? '別の担当者'}</bdi> さんが
            {decided_at !== null && `、${formatTime(decided_at)}に`}
            {outcome}にしています。この申請は、もう決められません。
            {reason !== '' && <span className="block">理由：{reason}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
