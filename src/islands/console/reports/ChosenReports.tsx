import { useState } from 'react';
import type { ReportAction, ReportLine } from '../../../../contract/operator/reports.ts';
import { formatCount } from '../../../lib/format.ts';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { type DeskKey, DeskKeys } from '../desk/DeskKeys.tsx';
import { useDeskKeys } from '../desk/use-desk-keys.ts';
import { $chosenReports, decideOnReports, openStaffReport } from './reports.ts';
import { ACTION_TEXTS } from './report-texts.ts';
import { useStore } from '../../ui/use-store.ts';

interface ChosenReportsProps {
  reports: readonly ReportLine[];
  openedId: string | null;
}

/** What can be decided about several reports without looking at each again, and the keys for the list. */
export function ChosenReports({ reports, openedId }: ChosenReportsProps) {
  const ids = useStore($chosenReports);
  const chosen = reports.filter(({ id }) => ids.includes(id));
  const [action, setAction] = useState<ReportAction | null>(null);
  const at = reports.findIndex(({ id }) => id === openedId);
  const open = (step: number) => {
    const next = reports[at < 0 ? 0 : at + step];
    if (next) openStaffReport(next.id);
  };
  const off = chosen.length === 0 ? 'まだ何も選ばれていません。' : '';
  const keys: DeskKey[] = [
    { key: 'e', name: `${ACTION_TEXTS.ask.name}…`, off, act: () => setAction('ask') },
    { key: 'r', name: `${ACTION_TEXTS.dismiss.name}…`, off, act: () => setAction('dismiss') },
    { key: 'd', name: '次を開く', act: () => open(1) },
    { key: 'a', name: '前を開く', act: () => open(-1) },
  ];
  const answer = useDeskKeys(action === null ? keys : null);
  const texts = action && ACTION_TEXTS[action];
  return (
    <>
      <DeskKeys keys={keys} answer={answer} summary={`選択 ${formatCount(chosen.length)}件`} />
      <DecisionDialog
        key={action}
        title={texts?.title ?? ''}
        effect={toEffect(chosen, action)}
        verb={texts?.name ?? ''}
        reasons={texts?.reasons}
        isOpen={action !== null}
        onClose={() => setAction(null)}
        onSend={async (reason) => {
          if (action === null || !(await decideOnReports(chosen, action, reason))) return;
          $chosenReports.set([]);
          setAction(null);
        }}
      />
    </>
  );
}

function toEffect(chosen: readonly ReportLine[], action: ReportAction | null): string {
  const isShownAgain = action === 'dismiss' && chosen.some(({ state }) => state.endsWith('-hidden'));
  return (
    `選んだ${formatCount(chosen.length)}件を、同じ理由で判断します。` +
    '理由は、1件ずつ判断したときと同じ相手に伝わります。' +
    (isShownAgain ? '報告による非公開は解除されます。' : '')
  );
}
