import { formatCount } from '../../lib/format.ts';

interface CharacterCountProps {
  id: string;
  /** In code points. */
  length: number;
  lengthMax: number;
  /** The unit of both numbers; absent for characters. */
  unit?: string;
}

/** The number of characters typed and the maximum. */
export function CharacterCount({ id, length, lengthMax, unit = '' }: CharacterCountProps) {
  return (
    <p id={id} className="text-right">
      <span className="sr-only">{unit === '' ? '文字数' : '大きさ'}</span>
      <span className={`form-count ${length > lengthMax ? 'is-over' : ''}`}>
        {formatCount(length)}/{formatCount(lengthMax)}
        {unit}
      </span>
    </p>
  );
}
