import {
  type ComponentProps,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { PROFILE_LABELS, type ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { closeField, typeField } from '../../stores/profile/profile.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { ConflictNote } from '../ui/Conflict.tsx';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldFrame } from '../ui/FieldFrame.tsx';
import { FormContext, useField } from '../ui/form-context.ts';
import { isComposing } from '../ui/send-keys.ts';
import type { FieldEditing } from './field-editor.ts';

export interface FieldInput {
  readonly kind?: 'line' | 'area' | 'choice';
  readonly type?: 'text' | 'url' | 'tel';
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** The options of a select; '' is no value. */
  readonly choices?: readonly string[];
  /** In characters; if set, there is a counter. */
  readonly lengthMax?: number;
}

interface FieldEditorProps {
  field: ProfileField;
  hint?: ReactNode;
  input: FieldInput;
  editing: FieldEditing;
}

/** A field opened for editing. Enter saves, or Ctrl+Enter in multi-line fields; Escape closes an unchanged field. */
export function FieldEditor({ editing, ...props }: FieldEditorProps) {
  const { field, input } = props;
  const { text, saved, canSave, isChanged, refusal } = editing;
  const element = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  // No error while the user is still typing.
  const [isValidated, setValidated] = useState(false);
  useEffect(() => element.current?.focus(), []);
  useEffect(() => {
    if (refusal !== null) element.current?.focus();
  }, [refusal]);
  const isSaving = editing.state === 'saving';
  const problem = refusal ?? (isValidated && isChanged ? editing.problem : null);
  const save = () => (canSave ? editing.save() : setValidated(true));
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
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
      <FormContext
        value={{ id: 'profile', errors: problem === null ? {} : { [field]: problem }, isSending: isSaving }}
      >
        <Control
          {...props}
          element={element}
          value={text}
          onBlur={() => setValidated(true)}
          onKeyDown={onKeyDown}
        />
      </FormContext>
      {editing.conflict !== null && (
        <ConflictNote
          problem={editing.conflict}
          theirs={[[PROFILE_LABELS[field], saved ?? '']]}
          onTake={() => closeField(field)}
          onKeep={editing.keep}
        />
      )}
      <div className="field-actions">
        <BusyButton
          type="submit"
          className="button button-primary"
          disabled={!canSave && !isSaving}
          isBusy={isSaving}
        >
          保存
        </BusyButton>
        <button type="button" className="button" disabled={isSaving} onClick={() => closeField(field)}>
          キャンセル
        </button>
      </div>
    </form>
  );
}

const NO_CHOICES: readonly string[] = [];

interface ControlProps extends Omit<FieldEditorProps, 'editing'> {
  element: ComponentProps<'input'>['ref'] &
    ComponentProps<'textarea'>['ref'] &
    ComponentProps<'select'>['ref'];
  value: string;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent): void;
}

function Control({ field, hint, input, element, ...control }: ControlProps) {
  const frame = useField(field, hint);
  const { isSending } = frame;
  const { kind = 'line', choices = NO_CHOICES, lengthMax, ...line } = input;
  const { value } = control;
  const common = {
    ...control,
    ...frame.control,
    ref: element,
    className: 'field',
    onChange: (event: { currentTarget: { value: string } }) => typeField(field, event.currentTarget.value),
  };
  const isCode = (line.type ?? 'text') !== 'text' || line.inputMode !== undefined;
  return (
    <FieldFrame field={frame} label={PROFILE_LABELS[field]} isOptional>
      {kind === 'area' && <textarea {...common} className="field form-area" rows={6} readOnly={isSending} />}
      {kind === 'choice' && (
        <select {...common} disabled={isSending}>
          {/* A value from another host may not be among our choices; it stays until another one is chosen. */}
          {(choices.includes(value) ? choices : [value, ...choices]).map((choice) => (
            <option key={choice} value={choice}>
              {choice || '選択してください'}
            </option>
          ))}
        </select>
      )}
      {kind === 'line' && (
        <input
          type="text"
          {...common}
          {...line}
          readOnly={isSending}
          {...(isCode && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false })}
        />
      )}
      {lengthMax !== undefined && (
        <CharacterCount id={`${frame.id}-count`} length={[...value].length} lengthMax={lengthMax} />
      )}
    </FieldFrame>
  );
}
