import { formatCount } from '../../lib/format.ts';
import {
  $chosenRows,
  $plan,
  $plannedPicture,
  applyOutcomes,
  clearPlan,
  isChange,
  takesPicture,
  toOutcome,
  toValues,
} from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { PlanPreview } from './PlanPreview.tsx';
import { PlanFields } from './PlanFields.tsx';
import { describePicture, describePlan } from './preview.ts';
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
  const { file } = useStore($plannedPicture);
  const pictured = outcomes.filter((outcome) => takesPicture(outcome, file)).length;
  const lines = [...describePicture(outcomes.length, pictured), ...describePlan(plan, outcomes, genres)];
  const count = outcomes.filter((outcome) => isChange(outcome) || takesPicture(outcome, file)).length;
  return (
    <form
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (count === 0) return;
        onClose();
        void applyOutcomes(outcomes, file);
        clearPlan();
      }}
    >
      <PlanFields />
      <div className="dialog-actions sound-editor-actions">
        <PlanPreview lines={lines} empty="変える項目を選んでください。" />
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
