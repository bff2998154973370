import { DESCRIPTION_LENGTH_MAX, TITLE_LENGTH_MAX } from '../../../contract/sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { EditRow, saveOnEnter, toControlProps } from './EditRow.tsx';
import { CHOICES, ROW_NAMES } from './row-texts.ts';

type TextRow = 'is_published' | 'filename' | 'title' | 'is_ai_generated' | 'description';

interface RowInput {
  readonly row: TextRow;
  readonly kind: 'choice' | 'line' | 'area';
  readonly lengthMax?: number;
}

/** The rows of spec §2, in its order. */
const ROWS: readonly RowInput[] = [
  { row: 'is_published', kind: 'choice' },
  { row: 'filename', kind: 'line' },
  { row: 'title', kind: 'line', lengthMax: TITLE_LENGTH_MAX },
  { row: 'is_ai_generated', kind: 'choice' },
  { row: 'description', kind: 'area', lengthMax: DESCRIPTION_LENGTH_MAX },
];

export function SoundRows({ editing }: { editing: SoundEditing }) {
  return ROWS.map((input) => <Row key={input.row} editing={editing} {...input} />);
}

function Row({ editing, row, kind, lengthMax }: RowInput & { editing: SoundEditing }) {
  const isFixed = row === 'is_published' && editing.sound.hidden_reason !== undefined;
  const common = toControlProps(editing, row);
  const isSaving = editing.saving !== null;
  return (
    <EditRow editing={editing} field={row} label={ROW_NAMES[row]}>
      {kind === 'choice' && (
        <select {...common} className="field" disabled={isSaving || isFixed}>
          {CHOICES[row]?.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
      {isFixed && <p className="form-hint">運営により非公開になっているため、公開できません。</p>}
      {kind === 'line' && (
        <input
          {...common}
          className="field"
          type="text"
          autoComplete="off"
          readOnly={isSaving}
          onKeyDown={(event) => saveOnEnter(event, row)}
        />
      )}
      {kind === 'area' && <textarea {...common} className="field form-area" rows={4} readOnly={isSaving} />}
      {lengthMax !== undefined && (
        <CharacterCount id={`${common.id}-count`} length={[...common.value].length} lengthMax={lengthMax} />
      )}
    </EditRow>
  );
}
