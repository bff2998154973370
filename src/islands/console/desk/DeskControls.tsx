import { type ReactNode, useState } from 'react';
import type { CommonReasons } from '../reasons.ts';
import { useStore } from '../../ui/use-store.ts';
import { type DeskKey, DeskKeys } from './DeskKeys.tsx';
import { RejectPanel } from './RejectPanel.tsx';
import type { Desk, Waiting } from './desk.ts';
import { type Outcomes, WHY_OFF } from './outcomes.ts';
import { useDeskKeys } from './use-desk-keys.ts';

interface DeskControlsProps<Entry extends Waiting> {
  desk: Pick<Desk<Entry, never>, '$desk' | '$reason' | 'decide' | 'move' | 'undo'>;
  outcomes: Outcomes;
  reasons: CommonReasons;
  /** Why the decisions have no effect now; '' if they have one. */
  off: string;
  /** The same for an approval alone. */
  approvalOff?: string;
  /** A further action in the queue. */
  park?: DeskKey;
  /** Actions on what is on the screen. */
  keys: readonly DeskKey[];
  /** Keys without a button. */
  hiddenKeys?: readonly Pick<DeskKey, 'key' | 'off' | 'act'>[];
  hint?: ReactNode;
  /** Called before each action. */
  onAct?: () => void;
}

/** The actions of a desk and their keys, or the panel that asks for the reason of a rejection. */
export function DeskControls<Entry extends Waiting>({
  desk,
  outcomes,
  reasons,
  off,
  approvalOff = off,
  park,
  keys,
  hiddenKeys,
  hint,
  onAct,
}: DeskControlsProps<Entry>) {
  const [isRejecting, setRejecting] = useState(false);
  const first = useStore(desk.$reason);
  const moveOff = useStore(desk.$desk).queue.length < 2 ? WHY_OFF.alone : '';
  const actions: readonly DeskKey[] = [
    {
      key: 'e',
      name: outcomes.approve,
      off: approvalOff,
      isMain: true,
      act: () => desk.decide('approve'),
    },
    { key: 'r', name: `${outcomes.reject}…`, off, act: () => setRejecting(true) },
    ...(park ? [park] : []),
    { key: 'd', name: '次へ', off: moveOff, act: () => desk.move(1) },
    { key: 'a', name: '前へ', off: moveOff, act: () => desk.move(-1) },
    ...keys,
  ].map((action) => ({
    ...action,
    act: () => {
      onAct?.();
      action.act();
    },
  }));
  const isPanelOpen = isRejecting && off !== WHY_OFF.decided;
  const answer = useDeskKeys(
    isPanelOpen ? null : [...actions, ...(hiddenKeys ?? []), { key: 'z', act: desk.undo }],
  );
  if (!isPanelOpen) return <DeskKeys keys={actions} answer={answer} hint={hint} />;
  return (
    <RejectPanel
      outcome={outcomes.reject}
      reasons={reasons}
      first={first}
      onSend={(reason) => {
        if (desk.decide('reject', reason)) setRejecting(false);
      }}
      onClose={() => {
        setRejecting(false);
        document.getElementById('applicant')?.focus();
      }}
    />
  );
}
