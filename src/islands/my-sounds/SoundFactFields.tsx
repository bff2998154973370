import { CONTENT_ID_TEXTS, MOOD_TEXTS, USE_TEXTS } from '../../../contract/sounds/fact-labels.ts';
import { MUSICAL_KEYS, toKeyName } from '../../../contract/sounds/music.ts';
import { CONTENT_ID_STATES, MOODS, SOUND_MOODS_MAX } from '../../../contract/sounds/sound-facts.ts';
import { CONTENT_ID_HINT, FACT_TEXTS } from '../../lib/fact-texts.ts';
import { $addableUses, $measuring, findProblem, toggleChoice } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { ChoiceChips } from '../ui/Chips.tsx';
import { ChipField } from './ChipField.tsx';
import { EditRow, saveOnEnter, toControlProps } from './EditRow.tsx';
import { useStore } from '../ui/use-store.ts';

interface FieldProps {
  editing: SoundEditing;
}

type ChoiceRow = 'key' | 'is_loopable' | 'has_vocals' | 'content_id';

/** The choices of each row, with its value in the form. */
export const FACT_CHOICES: Readonly<
  Record<ChoiceRow, { label: string; options: readonly (readonly [string, string])[] }>
> = {
  key: {
    label: 'キー',
    options: [['', '未回答'], ...MUSICAL_KEYS.map((key) => [key, toKeyName(key)] as const)],
  },
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

export const CHIP_TEXTS = { ...MOOD_TEXTS, ...USE_TEXTS };

/** Optional facts by which listeners find a sound, besides its genres. */
export function SoundFactFields({ editing }: FieldProps) {
  const { state } = useStore($measuring);
  const isMeasuring = state === 'under-way' || state === 'late';
  const { bpm, key, is_bpm_estimated, is_key_estimated } = editing.sound;
  const tempo = bpm === undefined ? undefined : String(Math.round(bpm));
  return (
    <section className="sound-editor" aria-labelledby="sound-facts-title">
      <h3 id="sound-facts-title" className="sound-facts-title">
        見つかりやすく、選ばれやすくなる情報（任意）
      </h3>
      <Chips editing={editing} row="moods" label={`雰囲気（${SOUND_MOODS_MAX}つまで）`} values={MOODS} />
      <div className="sound-fact-pairs">
        <Choice editing={editing} row="is_loopable" />
        <Choice editing={editing} row="has_vocals" />
        <Tempo editing={editing} empty={toEmpty(isMeasuring, is_bpm_estimated, tempo)} />
        <Choice
          editing={editing}
          row="key"
          empty={toEmpty(isMeasuring, is_key_estimated, key && toKeyName(key))}
        />
      </div>
      <UseChips editing={editing} />
      <Choice editing={editing} row="content_id" hint={CONTENT_ID_HINT} />
    </section>
  );
}

/** What an empty answer shows: the estimate that is used instead, or that there will be one. */
function toEmpty(isMeasuring: boolean, isEstimated: boolean | undefined, value: string | undefined): string {
  if (isEstimated === true && value !== undefined) return `推定：${value}`;
  return isMeasuring ? '測定中' : '未回答';
}

function Tempo({ editing, empty }: FieldProps & { empty: string }) {
  return (
    <EditRow editing={editing} field="bpm" label="BPM">
      <input
        {...toControlProps(editing, 'bpm')}
        className="field"
        inputMode="decimal"
        autoComplete="off"
        placeholder={empty}
        readOnly={editing.saving !== null}
        onKeyDown={(event) => saveOnEnter(event, 'bpm')}
      />
    </EditRow>
  );
}

interface ChoiceProps extends FieldProps {
  row: ChoiceRow;
  /** The text of the empty option. */
  empty?: string;
  hint?: string;
}

function Choice({ editing, row, empty, hint }: ChoiceProps) {
  const { label, options } = FACT_CHOICES[row];
  const control = toControlProps(editing, row);
  const hintId = hint === undefined ? '' : `${control.id}-hint`;
  return (
    <EditRow
      editing={editing}
      field={row}
      label={label}
      hint={hint === undefined ? undefined : { id: hintId, text: hint }}
    >
      <select
        {...control}
        className="field"
        aria-describedby={[control['aria-describedby'], hintId].filter(Boolean).join(' ') || undefined}
        disabled={editing.saving !== null}
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

function UseChips({ editing }: FieldProps) {
  const { uses, hint } = useStore($addableUses);
  if (uses.length === 0) return null;
  return <Chips editing={editing} row="licence_uses" label={FACT_TEXTS.use.name} values={uses} hint={hint} />;
}

interface ChipsProps extends FieldProps {
  row: 'moods' | 'licence_uses';
  label: string;
  values: readonly (keyof typeof CHIP_TEXTS)[];
  hint?: string;
}

function Chips({ editing, row, label, values, hint }: ChipsProps) {
  return (
    <ChipField id={`sound-${row}`} label={label} hint={hint} problem={findProblem(editing, row)}>
      <ChoiceChips
        choices={values.map((value) => [value, CHIP_TEXTS[value]])}
        chosen={editing.draft[row]}
        isOff={editing.saving !== null}
        onToggle={(value) => toggleChoice(row, value)}
      />
    </ChipField>
  );
}
