import type { CreditAction } from '../../../../contract/operator/credits.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { type DeskKey, DeskKeys } from '../desk/DeskKeys.tsx';
import { useDeskKeys } from '../desk/use-desk-keys.ts';
import { focusRow } from '../RowChoice.tsx';
import type { Asked } from './CreditsPanel.tsx';
import { ACTION_TEXTS } from './credit-texts.ts';
import { $chosenCredits, $chosenGroups, groups, openCredits, toKey } from './credits.ts';
import { useStore } from '../../ui/use-store.ts';

interface ChosenCreditsProps {
  isAsking: boolean;
  onAsk: (asked: Asked) => void;
}

/** The chosen credits of the open group, or else the chosen groups: how many, their sum, and what can be decided. */
export function ChosenCredits({ isAsking, onAsk }: ChosenCreditsProps) {
  const { items: heldGroups } = useStore(groups.$list);
  const { items: credits, query: opened } = useStore(openCredits.$list);
  const [creditIds, groupKeys] = [useStore($chosenCredits), useStore($chosenGroups)];
  const chosenCredits = credits.filter(({ id }) => opened !== null && creditIds.includes(id));
  const chosenGroups = heldGroups.filter((group) => groupKeys.includes(toKey(group)));
  const isOfGroup = chosenCredits.length > 0;
  const rows = isOfGroup ? chosenCredits : chosenGroups;
  const obstacle = isOfGroup ? '' : (chosenGroups.find((group) => group.obstacle !== '')?.obstacle ?? '');

  const toKeyOf = (key: string, action: CreditAction, reason = ''): DeskKey => ({
    key,
    name: `${ACTION_TEXTS[action].name}…`,
    isMain: action === 'approve',
    off: rows.length === 0 ? 'まだ何も選ばれていません。' : findWhyOff(action) || reason,
    act: () => {
      if (isOfGroup) onAsk({ credits: chosenCredits, action });
      else if (action !== 'reverse') onAsk({ groups: chosenGroups, action });
    },
  });
  function findWhyOff(action: CreditAction): string {
    const isAllowed = isOfGroup && chosenCredits.every(({ allowed }) => allowed.includes(action));
    return isOfGroup && !isAllowed ? 'この操作ができない報酬が選ばれています。' : '';
  }
  const keys: DeskKey[] = [
    toKeyOf('e', 'approve', obstacle),
    toKeyOf('r', 'reject'),
    { key: 'd', name: '次へ', act: () => focusRow(1) },
    { key: 'a', name: '前へ', act: () => focusRow(-1) },
  ];
  const answer = useDeskKeys(isAsking || heldGroups.length + credits.length === 0 ? null : keys);
  if (heldGroups.length + credits.length === 0) return null;
  const count = isOfGroup ? rows.length : chosenGroups.reduce((sum, group) => sum + group.credits, 0);
  const yen = rows.reduce((sum, row) => sum + row.yen, 0);
  return (
    <DeskKeys
      keys={keys}
      answer={answer}
      summary={`選択 ${formatCount(count)}件 ・ 合計 ${formatYen(yen)}`}
      hint="Spaceキーで選びます"
    />
  );
}
