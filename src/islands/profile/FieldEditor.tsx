import {
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ProfileField } from '../../../contract/profile-fields.ts';
import { closeField, saveField, typeField } from '../../stores/profile/profile.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldError } from '../ui/FieldFrame.tsx';
import { DonationHost } from './donation-host.ts';
import type { FieldEditing } from './field-editor.ts';

export interface FieldInput {
  readonly kind?: 'line' | 'area' | 'choice';
  readonly type?: 'text' | 'url' | 'tel';
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** The options of a select; '' is no value. */
  readonly choices?: readonly string[];
  /** In characters; if set, a counter is shown. */
  readonly lengthMax?: number;
}

interface FieldEditorProps {
  field: ProfileField;
  label: string;
  hint?: ReactNode;
  input: FieldInput;
  editing: FieldEditing;
}

/** A field opened for editing. Enter saves, or Ctrl+Enter in multi-line fields; Escape closes an unchanged field. */
export function FieldEditor({ field, label, hint, input, editing }: FieldEditorProps) {
  const { text, canSave, isChanged, state } = editing;
  const donationHost = useContext(DonationHost);
  const element = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  // No error is shown while the user is still typing.
  const [isValidated, setValidated] = useState(false);
  useEffect(() => element.current?.focus(), []);
  const isSaving = state === 'saving';
  const problem = editing.refusal ?? (isValidated && isChanged ? editing.problem : null);
  useEffect(() => {
    if (editing.refusal !== null) element.current?.focus();
  }, [editing.refusal]);
  const id = `profile-${field}`;
  const save = () => (canSave ? void saveField(field, donationHost) : setValidated(true));
  const onKeyDown = (event: KeyboardEvent) => {
    // Safari ends a composition before it fires the Enter that ended it; 229 is its key code.
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    if (event.key === 'Escape' && !isChanged) closeField(field);
    if (event.key !== 'Enter' || (input.kind === 'area' && !event.ctrlKey && !event.metaKey)) return;
    // A disabled button prevents submission by the browser, so Enter is handled here.
    event.preventDefault();
    save();
  };
  return (
    <form
      className="field-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label htmlFor={id} className="form-label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="form-hint">
          {hint}
        </p>
      )}
      <Input
        input={input}
        common={{
          ref: element,
          id,
          name: field,
          className: input.kind === 'area' ? 'field form-area' : 'field',
          value: text,
          'aria-invalid': problem !== null,
          'aria-describedby':
            [hint ? `${id}-hint` : '', problem === null ? '' : `${id}-error`].filter(Boolean).join(' ') ||
            undefined,
          onChange: (event) => typeField(field, event.currentTarget.value),
          onBlur: () => setValidated(true),
          onKeyDown,
        }}
        isSaving={isSaving}
      />
      {input.lengthMax !== undefined && (
        <CharacterCount id={`${id}-count`} length={[...text].length} lengthMax={input.lengthMax} />
      )}
      <FieldError id={`${id}-error`} error={problem ?? undefined} />
      <div className="field-actions">
        <button
          type="submit"
          className="button button-primary"
          disabled={!canSave && !isSaving}
          aria-disabled={isSaving || undefined}
          aria-busy={isSaving || undefined}
        >
          {isSaving ? '処理中...' : '保存'}
        </button>
        <button type="button" className="button" disabled={isSaving} onClick={() => closeField(field)}>
          キャンセル
        </button>
      </div>
    </form>
  );
}

const NO_CHOICES: readonly string[] = [];

interface Common {
  ref: React.Ref<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>;
  id: string;
  name: string;
  className: string;
  value: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  onChange(event: { currentTarget: { value: string } }): void;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent): void;
}

function Input({ input, common, isSaving }: { input: FieldInput; common: Common; isSaving: boolean }) {
  const { kind = 'line', choices = NO_CHOICES, type = 'text', inputMode, autoComplete, placeholder } = input;
  if (kind === 'area') return <textarea {...common} rows={6} readOnly={isSaving} />;
  if (kind === 'choice') {
    // A value from another host may not be among our choices; it stays until the member chooses another.
    const known = choices.includes(common.value) ? choices : [common.value, ...choices];
    return (
      <select {...common} disabled={isSaving}>
        {known.map((choice) => (
          <option key={choice} value={choice}>
            {choice || '選択してください'}
          </option>
        ))}
      </select>
    );
  }
  const isCode = type !== 'text' || inputMode !== undefined;
  return (
    <input
      {...common}
      type={type}
      inputMode={inputMode}
      autoComplete={autoComplete}
      placeholder={placeholder}
      readOnly={isSaving}
      autoCapitalize={isCode ? 'none' : undefined}
      autoCorrect={isCode ? 'off' : undefined}
      spellCheck={isCode ? false : undefined}
    />
  );
}
