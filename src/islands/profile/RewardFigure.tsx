import { formatCount, formatYen } from '../../lib/format.ts';
import { toNumber } from '../../stores/rewards/rewards.ts';
import type { Figure } from '../../stores/rewards/rewards.ts';

interface RewardFigureProps {
  label: string;
  /** undefined until loaded: its space is reserved. */
  value: string | undefined;
  isMain?: boolean;
}

export function RewardFigure({ label, value, isMain = false }: RewardFigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isMain ? 'reward-main' : undefined}>{value ?? <span className="profile-bar w-24" />}</dd>
    </div>
  );
}

/** `¥12,345`; a text that is not a number stays as the host sent it. */
export function showYen(figure: Figure): string {
  const yen = toNumber(figure);
  return yen === null ? figure.toString().trim() || '-' : formatYen(yen);
}

/** `1,234`, likewise. */
export function showCount(figure: Figure): string {
  const count = toNumber(figure);
  return count === null ? figure.toString().trim() || '-' : formatCount(count);
}
