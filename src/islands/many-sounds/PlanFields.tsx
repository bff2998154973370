import { useId, useRef } from 'react';
import { DESCRIPTION_LENGTH_MAX } from '../../../contract/sounds/my-sounds.ts';
import { MOODS } from '../../../contract/sounds/sound-facts.ts';
import { $plan, $plannedPicture, planField, planPicture } from '../../stores/many-sounds/many-sounds.ts';
import type { FieldPlan, PlannedField } from '../../stores/many-sounds/many-sounds.ts';
import { $addableUses } from '../../stores/my-sounds/my-sounds.ts';
import { ChipField } from '../my-sounds/ChipField.tsx';
import { ChoiceChips } from '../ui/Chips.tsx';
import { CHIP_TEXTS } from '../my-sounds/SoundFactFields.tsx';
import { GenreChips } from '../my-sounds/SubGenreChips.tsx';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldError } from '../ui/FieldFrame.tsx';
import { PictureInput } from '../ui/PictureInput.tsx';
import { type ChoiceField, type ListField, CHOICE_FIELDS, FIELD_NAMES } from './fields.ts';
import { useStore } from '../ui/use-store.ts';

const LEAVE = 'leave';
type Mode = FieldPlan['mode'];

/** The fields of a sound, each of which is left as it is until something is chosen. */
export function PlanFields() {
  return (
    <>
      <p className="form-hint">選んだ項目だけを変えます。「変えない」のままの項目には触れません。</p>
      <Choice field="is_published" />
      <List field="sub_genres" />
      <Description />
      <Picture />
      <List field="moods" values={MOODS} />
      <UseList />
      <div className="sound-fact-pairs">
        <Choice field="content_id" />
        <Choice field="is_loopable" />
        <Choice field="has_vocals" />
        <Choice field="is_ai_generated" />
        <Tempo />
        <Choice field="key" />
      </div>
    </>
  );
}

/** A select whose first option leaves the field as it is. */
function Select({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string | null) => void;
}) {
  const id = useId();
  return (
    <div className="sound-row">
      <label htmlFor={id} className="form-label">
        {label}
      </label>
      <select
        id={id}
        className="field"
        value={value ?? LEAVE}
        onChange={({ currentTarget }) => onChoose(currentTarget.value === LEAVE ? null : currentTarget.value)}
      >
        <option value={LEAVE}>変えない</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Choice({ field }: { field: ChoiceField }) {
  const plan = useStore($plan)[field];
  return (
    <Select
      label={FIELD_NAMES[field]}
      value={plan && String(plan.value)}
      options={CHOICE_FIELDS[field]}
      onChoose={(value) => planField(field, value === null ? null : { mode: 'set', value })}
    />
  );
}

/** Chooses the mode of a field; changing the mode keeps the value. */
function Modes({
  field,
  modes,
  empty,
}: {
  field: PlannedField;
  modes: readonly (readonly [Mode, string])[];
  empty: FieldPlan['value'];
}) {
  const plan = useStore($plan)[field];
  return (
    <Select
      label={FIELD_NAMES[field]}
      value={plan?.mode}
      options={modes}
      onChoose={(mode) =>
        planField(field, mode === null ? null : { mode: mode as Mode, value: plan?.value ?? empty })
      }
    />
  );
}

const LIST_MODES = [
  ['add', '加える'],
  ['remove', '外す'],
  ['set', '置き換える'],
] as const;

function List({ field, values }: { field: ListField; values?: readonly (keyof typeof CHIP_TEXTS)[] }) {
  const plan = useStore($plan)[field];
  const chosen = Array.isArray(plan?.value) ? (plan.value as readonly string[]) : [];
  const onToggle = (value: string) =>
    plan &&
    planField(field, {
      ...plan,
      value: chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value],
    });
  return (
    <>
      <Modes field={field} modes={LIST_MODES} empty={[]} />
      {plan && (
        <ChipField id={`many-${field}`} label={`${FIELD_NAMES[field]}の値`} problem={null}>
          {values === undefined ? (
            <GenreChips chosen={chosen} onToggle={onToggle} />
          ) : (
            <ChoiceChips
              choices={values.map((value) => [value, CHIP_TEXTS[value]])}
              chosen={chosen}
              onToggle={onToggle}
            />
          )}
        </ChipField>
      )}
    </>
  );
}

function UseList() {
  const { uses } = useStore($addableUses);
  return uses.length > 0 && <List field="licence_uses" values={uses} />;
}

function Description() {
  const plan = useStore($plan).description;
  const text = String(plan?.value ?? '');
  return (
    <>
      <Modes
        field="description"
        modes={[
          ['add', '末尾に加える'],
          ['set', '置き換える'],
        ]}
        empty=""
      />
      {plan && (
        <div className="sound-row">
          <textarea
            className="field form-area"
            aria-label="説明の文"
            aria-describedby="many-description-count"
            rows={4}
            value={text}
            onChange={({ currentTarget: { value } }) => planField('description', { ...plan, value })}
          />
          <CharacterCount
            id="many-description-count"
            length={[...text].length}
            lengthMax={DESCRIPTION_LENGTH_MAX}
          />
        </div>
      )}
    </>
  );
}

function Picture() {
  const { file, problem } = useStore($plannedPicture);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="sound-row" role="group" aria-labelledby="many-picture">
      <p id="many-picture" className="form-label">
        サムネイル
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="button" onClick={() => input.current?.click()}>
          画像を選ぶ
        </button>
        <span className="min-w-0 wrap-anywhere">{file?.name ?? '変えない'}</span>
        {file && (
          <button type="button" className="button" onClick={() => planPicture(null)}>
            やめる
          </button>
        )}
      </div>
      <PictureInput ref={input} onChoose={planPicture} />
      <FieldError error={problem} />
    </div>
  );
}

function Tempo() {
  const plan = useStore($plan).bpm;
  return (
    <div className="grid gap-2">
      <Modes field="bpm" modes={[['set', 'この値にする']]} empty="" />
      {plan && (
        <input
          className="field"
          aria-label="BPMの値"
          inputMode="decimal"
          autoComplete="off"
          placeholder="空なら推定に戻す"
          value={String(plan.value)}
          onChange={({ currentTarget: { value } }) => planField('bpm', { mode: 'set', value })}
        />
      )}
    </div>
  );
}
