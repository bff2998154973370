import { formatCount } from '../../lib/format.ts';

interface CharacterCountProps {
  id: string;
  /** In graphemes. */
  length: number;
  lengthMax: number;
}

/** The number of characters typed and the maximum. */
export function CharacterCount({ id, length, lengthMax }: CharacterCountProps) {
  return (
    <p id={id} className="text-right">
      <span className="sr-only">文字数</span>
      <span className={`form-count ${length > lengthMax ? 'is-over' : ''}`}>
        {formatCount(length)}/{formatCount(lengthMax)}
      </span>
    </p>
  );
}
