import {
  $genres,
  SOUND_ROWS,
  keepTypedSound,
  takeSavedSound,
  toSoundDraft,
} from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { CHOICE_FIELDS, FIELD_NAMES, toText } from '../many-sounds/fields.ts';
import { ConflictNote } from '../ui/Conflict.tsx';
import { useStore } from '../ui/use-store.ts';

const NAMES = { ...FIELD_NAMES, filename: 'ファイル' };
const CHOICES: Readonly<Record<string, readonly (readonly [string, string])[]>> = CHOICE_FIELDS;

/** What is saved by now of the fields that another change was first for. */
export function SoundConflict({ editing }: { editing: SoundEditing }) {
  const genres = useStore($genres).data ?? [];
  const { conflict, draft } = editing;
  if (conflict === null) return null;
  const { problem, theirs, fields } = conflict;
  const saved = theirs && toSoundDraft(theirs);
  const differing = SOUND_ROWS.flatMap((row) => {
    if (!saved || !fields.includes(row) || String(saved[row]) === String(draft[row])) return [];
    const value = saved[row];
    const text =
      typeof value === 'string'
        ? (CHOICES[row]?.find(([option]) => option === value)?.[1] ?? value)
        : value.map((each) => toText(each, genres)).join('、');
    return [[NAMES[row], text] as const];
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
