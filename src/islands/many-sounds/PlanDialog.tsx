import { formatCount } from '../../lib/format.ts';
import {
  $chosenRows,
  $plan,
  $plannedPicture,
  applyOutcomes,
  clearPlan,
  hasNewPicture,
  isChange,
  toOutcome,
  toValues,
} from '../../stores/many-sounds/many-sounds.ts';
import { $genres } from '../../stores/my-sounds/my-sounds.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { PlanFields } from './PlanFields.tsx';
import { PlanForm } from './PlanForm.tsx';
import { describePicture, describePlan } from './preview.ts';
import { useStore } from '../ui/use-store.ts';

interface PlanDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Plans a change of the chosen rows, and previews the result. */
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
  const pictured = outcomes.filter((outcome) => hasNewPicture(outcome, file)).length;
  const lines = [...describePicture(outcomes.length, pictured), ...describePlan(plan, outcomes, genres)];
  const count = outcomes.filter((outcome) => isChange(outcome) || hasNewPicture(outcome, file)).length;
  return (
    <PlanForm
      count={count}
      label={`${formatCount(count)}件を変更する`}
      lines={lines}
      empty="変える項目を選んでください。"
      onApply={() => {
        void applyOutcomes(outcomes, file);
        clearPlan();
      }}
      onClose={onClose}
    >
      <PlanFields />
    </PlanForm>
  );
}
