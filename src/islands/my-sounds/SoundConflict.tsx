import {
  $genres,
  SOUND_ROWS,
  keepTypedSound,
  takeSavedSound,
  toSoundDraft,
} from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { ROW_NAMES, toValueText } from './row-texts.ts';
import { ConflictNote } from '../ui/Conflict.tsx';
import { useStore } from '../ui/use-store.ts';

/** The saved values of the fields that another change has replaced. */
export function SoundConflict({ editing }: { editing: SoundEditing }) {
  const genres = useStore($genres).data ?? [];
  const { conflict, draft } = editing;
  if (conflict === null) return null;
  const { problem, theirs, fields } = conflict;
  const saved = theirs && toSoundDraft(theirs);
  const differing = SOUND_ROWS.flatMap((row) => {
    if (!saved || !fields.includes(row) || String(saved[row]) === String(draft[row])) return [];
    return [
      [
        ROW_NAMES[row],
        [saved[row]]
          .flat()
          .map((value) => toValueText(row, value, genres))
          .join('、'),
      ] as const,
    ];
  });
  return (
    <ConflictNote
      problem={problem}
      theirs={theirs && differing}
      onTake={takeSavedSound}
      onKeep={theirs ? () => void keepTypedSound() : undefined}
    />
  );
}
