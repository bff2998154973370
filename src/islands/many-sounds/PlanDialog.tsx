import { formatCount } from '../../lib/format.ts';
import {
  $chosenRows,
  $plan,
  applyOutcomes,
  clearPlan,
  isChange,
  toOutcome,
  toValues,
} from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { PlanFields } from './PlanFields.tsx';
import { describePlan } from './preview.ts';
import { useStore } from '../ui/use-store.ts';

interface PlanDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Plans a change of the chosen rows, and says what it does before it is made. */
export function PlanDialog({ isOpen, onClose }: PlanDialogProps) {
  return (
    <Dialog isOpen={isOpen} title="選んだサウンドを変更" onClose={onClose}>
      {isOpen && <Planner onClose={onClose} />}
    </Dialog>
  );
}

function Planner({ onClose }: Pick<PlanDialogProps, 'onClose'>) {
  const rows = useStore($chosenRows);
  const plan = useStore($plan);
  const { data: genres = [] } = useStore($genres);
  const outcomes = rows.map((row) => toOutcome(row, toValues(plan, row.saved)));
  const lines = describePlan(plan, outcomes, genres);
  const count = outcomes.filter(isChange).length;
  return (
    <form
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (count === 0) return;
        onClose();
        clearPlan();
        void applyOutcomes(outcomes);
      }}
    >
      <PlanFields />
      <div className="dialog-actions sound-editor-actions">
        <Preview lines={lines} />
        <button type="button" className="button" onClick={onClose}>
          閉じる
        </button>
        <button type="submit" className="button button-primary" disabled={count === 0}>
          {formatCount(count)}件を変更する
        </button>
      </div>
    </form>
  );
}

/** What will change in how many; it stays in view above the buttons. */
export function Preview({ lines }: { lines: readonly string[] }) {
  return (
    <div className="many-preview" role="region" aria-label="変更の内容" tabIndex={0}>
      {lines.length === 0 ? (
        <p>変える項目を選んでください。</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
