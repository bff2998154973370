import { DESCRIPTION_LENGTH_MAX, TITLE_LENGTH_MAX } from '../../../contract/sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { EditRow, saveOnEnter, toControlProps } from './EditRow.tsx';

type RowInput =
  | { readonly kind: 'line'; readonly lengthMax?: number }
  | { readonly kind: 'area'; readonly lengthMax: number }
  | { readonly kind: 'choice'; readonly labels: { readonly true: string; readonly false: string } };

type TextRow = 'is_published' | 'filename' | 'title' | 'is_ai_generated' | 'description';

/** The rows of spec §2, in its order. */
const ROWS: readonly { readonly row: TextRow; readonly label: string; readonly input: RowInput }[] = [
  {
    row: 'is_published',
    label: 'ステータス',
    input: { kind: 'choice', labels: { true: '公開', false: '非公開' } },
  },
  { row: 'filename', label: 'ファイル', input: { kind: 'line' } },
  { row: 'title', label: 'タイトル', input: { kind: 'line', lengthMax: TITLE_LENGTH_MAX } },
  {
    row: 'is_ai_generated',
    label: 'AI制作',
    input: { kind: 'choice', labels: { true: 'AI使用', false: 'AI不使用' } },
  },
  { row: 'description', label: '説明', input: { kind: 'area', lengthMax: DESCRIPTION_LENGTH_MAX } },
];

export function SoundRows({ editing }: { editing: SoundEditing }) {
  return ROWS.map(({ row, label, input }) => (
    <Row key={row} editing={editing} row={row} label={label} input={input} />
  ));
}

interface RowProps {
  editing: SoundEditing;
  row: TextRow;
  label: string;
  input: RowInput;
}

function Row({ editing, row, label, input }: RowProps) {
  const isFixed = row === 'is_published' && editing.sound.hidden_reason !== undefined;
  const common = toControlProps(editing, row);
  const isSaving = editing.saving !== null;
  return (
    <EditRow editing={editing} field={row} label={label}>
      {input.kind === 'choice' && (
        <select {...common} className="field" disabled={isSaving || isFixed}>
          <option value="true">{input.labels.true}</option>
          <option value="false">{input.labels.false}</option>
        </select>
      )}
      {isFixed && <p className="form-hint">運営により非公開になっているため、公開できません。</p>}
      {input.kind === 'line' && (
        <input
          {...common}
          className="field"
          type="text"
          autoComplete="off"
          readOnly={isSaving}
          onKeyDown={(event) => saveOnEnter(event, row)}
        />
      )}
      {input.kind === 'area' && (
        <textarea {...common} className="field form-area" rows={4} readOnly={isSaving} />
      )}
      {'lengthMax' in input && input.lengthMax !== undefined && (
        <CharacterCount
          id={`${common.id}-count`}
          length={[...common.value].length}
          lengthMax={input.lengthMax}
        />
      )}
    </EditRow>
  );
}
