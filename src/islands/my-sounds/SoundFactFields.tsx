import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { MUSICAL_KEYS } from '../../../contract/music.ts';
import { CONTENT_ID_STATES, LICENCE_USES, MOODS, SOUND_MOODS_MAX } from '../../../contract/sound-facts.ts';
import { CONTENT_ID_TEXTS, MOOD_TEXTS, USE_TEXTS } from '../../lib/fact-texts.ts';
import {
  $licenceUses,
  FACT_ROWS,
  checkRow,
  toggleChoice,
  typeRow,
} from '../../stores/my-sounds/my-sounds.ts';
import type { SoundDraft, SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { FieldError } from '../ui/FieldFrame.tsx';
import { EditRow } from './EditRow.tsx';

interface FieldProps {
  editing: SoundEditing;
}

type ChoiceRow = 'key' | 'is_loopable' | 'has_vocals' | 'content_id';

/** The choices of each row, with its value in the form. */
const CHOICES: Readonly<
  Record<ChoiceRow, { label: string; options: readonly (readonly [string, string])[] }>
> = {
  key: { label: 'キー', options: [['', '未回答'], ...MUSICAL_KEYS.map((key) => [key, key] as const)] },
  is_loopable: {
    label: 'ループ',
    options: [
      ['false', '指定なし'],
      ['true', 'ループ可'],
    ],
  },
  has_vocals: {
    label: 'ボーカル',
    options: [
      ['', '未回答'],
      ['true', 'あり'],
      ['false', 'なし'],
    ],
  },
  content_id: {
    label: 'Content ID',
    options: [['', '未回答'], ...CONTENT_ID_STATES.map((state) => [state, CONTENT_ID_TEXTS[state]] as const)],
  },
};

/** What people decide by: all optional, collapsed until it is opened or has an error. It never closes by itself. */
export function SoundFactFields({ editing }: FieldProps) {
  const { draft, saved, refusals } = editing;
  const isWrong = FACT_ROWS.some((row) => (refusals[row] ?? checkRow(row, draft, saved).problem) !== null);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="finding-more"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>選ばれやすくなる情報（任意）</summary>
      <div className="sound-editor mt-2">
        <Tempo editing={editing} />
        <Choice
          editing={editing}
          row="key"
          empty={toEstimate(editing.sound.is_key_estimated, editing.sound.key)}
        />
        <Choice editing={editing} row="is_loopable" />
        <Choice editing={editing} row="has_vocals" />
        <Chips editing={editing} row="moods" label={`雰囲気（${SOUND_MOODS_MAX}つまで）`} values={MOODS} />
        <UseChips editing={editing} />
        <Choice editing={editing} row="content_id" />
      </div>
    </details>
  );
}

function toEstimate(isEstimated: boolean | undefined, value: string | undefined): string | undefined {
  return isEstimated === true && value !== undefined ? `推定：${value}` : undefined;
}

/** Empty for the estimate, which is shown in its place. */
function Tempo({ editing }: FieldProps) {
  const { draft, saved, saving, refusals, sound } = editing;
  const problem = refusals.bpm ?? checkRow('bpm', draft, saved).problem;
  const estimate = toEstimate(
    sound.is_bpm_estimated,
    sound.bpm === undefined ? undefined : String(Math.round(sound.bpm)),
  );
  return (
    <EditRow editing={editing} field="bpm" label="BPM" problem={problem} inputId="sound-bpm">
      <input
        id="sound-bpm"
        name="bpm"
        className="field"
        inputMode="decimal"
        autoComplete="off"
        placeholder={estimate ?? '未回答'}
        value={draft.bpm}
        disabled={saving !== null}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : 'sound-bpm-error'}
        onChange={(event) => typeRow('bpm', event.currentTarget.value)}
      />
    </EditRow>
  );
}

interface ChoiceProps extends FieldProps {
  row: ChoiceRow;
  /** The text of the empty option. */
  empty?: string | undefined;
}

function Choice({ editing, row, empty }: ChoiceProps) {
  const { draft, saved, saving, refusals } = editing;
  const { label, options } = CHOICES[row];
  const problem = refusals[row] ?? checkRow(row, draft, saved).problem;
  const id = `sound-${row}`;
  return (
    <EditRow editing={editing} field={row} label={label} problem={problem} inputId={id}>
      <select
        id={id}
        name={row}
        className="field"
        value={draft[row]}
        disabled={saving !== null}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-error`}
        onChange={(event) => typeRow(row, event.currentTarget.value as SoundDraft[ChoiceRow])}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {value === '' && empty !== undefined ? empty : text}
          </option>
        ))}
      </select>
    </EditRow>
  );
}

/** A use that the operator no longer allows is offered only to remove it. */
function UseChips({ editing }: FieldProps) {
  const { data: allowed = LICENCE_USES } = useStore($licenceUses);
  const values = LICENCE_USES.filter(
    (use) => allowed.includes(use) || editing.saved.licence_uses.includes(use),
  );
  if (values.length === 0) return null;
  const hint = '選ばない場合は、サイトの利用規約のとおりです。';
  return <Chips editing={editing} row="licence_uses" label="使いみち" values={values} hint={hint} />;
}

interface ChipsProps extends FieldProps {
  row: 'moods' | 'licence_uses';
  label: string;
  values: readonly (keyof typeof MOOD_TEXTS | keyof typeof USE_TEXTS)[];
  hint?: string;
}

function Chips({ editing, row, label, values, hint }: ChipsProps) {
  const { draft, saved, saving, refusals } = editing;
  const problem = refusals[row] ?? checkRow(row, draft, saved).problem;
  const texts = { ...MOOD_TEXTS, ...USE_TEXTS };
  return (
    <fieldset
      className="sound-genres"
      tabIndex={-1}
      data-wrong={problem === null ? undefined : ''}
      aria-describedby={problem === null ? undefined : `sound-${row}-error`}
    >
      <legend className="form-label">{label}</legend>
      {hint !== undefined && <p className="form-hint">{hint}</p>}
      <div className="flex flex-wrap gap-2">
        {values.map((value) => (
          <button
            key={value}
            type="button"
            className="chip"
            aria-pressed={draft[row].includes(value)}
            aria-disabled={saving !== null || undefined}
            onClick={() => toggleChoice(row, value)}
          >
            {texts[value]}
          </button>
        ))}
      </div>
      <div role="alert" className="empty:hidden">
        <FieldError id={`sound-${row}-error`} error={problem ?? undefined} />
      </div>
    </fieldset>
  );
}
