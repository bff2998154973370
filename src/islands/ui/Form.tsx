import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { type FormLogic, type FormValues, UNTOUCHED } from '../../lib/form-state.ts';
import { FormContext } from './form-context.ts';
import { ProblemNote } from './ProblemNote.tsx';
import { SubmitButton, type SubmitButtonProps } from './SubmitButton.tsx';
import { useInvalidFocus } from './use-invalid-focus.ts';
import { useStore } from './use-store.ts';

interface FormProps extends Omit<SubmitButtonProps, 'state' | 'isInRow'> {
  /** Unique on the page; the ids of the fields begin with it. */
  id: string;
  className?: string;
  logic: FormLogic;
  /** Values for empty fields, as soon as they are available. */
  defaults?: FormValues;
  /** A remedy for a problem of the form as a whole. */
  remedy?: ReactNode;
  /**
   * Buttons before the submit button, in one row with it, in a dialog or the console; `null` for none. These forms raise
   * no toasts, so their problems are announced.
   */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * The fields of a form and its button. Fields are uncontrolled, so that text typed before hydration is not lost. A
 * field that is not always visible stays mounted in a `hidden` element.
 */
export function Form({
  id,
  className = 'form',
  logic,
  defaults,
  remedy,
  actions,
  children,
  ...button
}: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const form = useStore(logic.$form);
  const { errors, problems, attempt } = form.state === 'editing' ? form : UNTOUCHED;
  const isSending = form.state === 'sending';
  useEffect(() => {
    const fields = listFields(element.current);
    // Text already in a field is newer than the draft.
    logic.setValues({ ...logic.$values.get(), ...readFilled(fields) });
    return logic.$values.subscribe((values) => fill(listFields(element.current), values));
  }, [logic]);
  useEffect(() => {
    if (defaults) logic.setValues({ ...defaults, ...readFilled(listFields(element.current)) });
  }, [logic, defaults]);
  useInvalidFocus(element, attempt);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = read(listFields(event.currentTarget));
    logic.setValues(values);
    void logic.submit(values);
  };
  const handleInput = (event: FormEvent<HTMLFormElement>) => {
    const fields = listFields(event.currentTarget);
    logic.touch((event.target as HTMLInputElement).name);
    logic.setValues(read(fields));
    logic.keep(
      Object.fromEntries(
        fields.filter(({ dataset }) => 'draft' in dataset).map(({ name, value }) => [name, value]),
      ),
    );
  };
  const notice = <ProblemNote problems={problems}>{remedy}</ProblemNote>;
  const submitButton = <SubmitButton {...button} state={form.state} isInRow={actions !== undefined} />;
  return (
    <form
      ref={element}
      id={id}
      className={className}
      method="post"
      noValidate
      onSubmit={submit}
      onInput={handleInput}
    >
      <FormContext value={{ id, errors, isSending }}>{children}</FormContext>
      {actions === undefined ? (
        <>
          {notice}
          {submitButton}
        </>
      ) : (
        <>
          <div role="alert" className="contents">
            {notice}
          </div>
          <div className="dialog-actions">
            {actions}
            {submitButton}
          </div>
        </>
      )}
    </form>
  );
}

function listFields(form: HTMLFormElement | null): HTMLInputElement[] {
  return ([...(form?.elements ?? [])] as HTMLInputElement[]).filter(({ name }) => name);
}

function read(fields: readonly HTMLInputElement[]): FormValues {
  return Object.fromEntries(
    fields.map(({ name, type, value, checked, files }) => [
      name,
      type === 'file' ? files?.[0] : type === 'checkbox' ? checked : value,
    ]),
  );
}

function readFilled(fields: readonly HTMLInputElement[]): FormValues {
  return Object.fromEntries(Object.entries(read(fields)).filter(([, value]) => value));
}

/** Replaces typed values; the fields' listeners run once all of them are set. */
function fill(fields: readonly HTMLInputElement[], values: FormValues): void {
  const before = read(fields);
  const changed = fields.filter(({ name }) => (before[name] || '') !== (values[name] || ''));
  for (const field of changed) {
    const value = values[field.name];
    if (field.type === 'checkbox') field.checked = value === true;
    else field.value = typeof value === 'string' ? value : '';
  }
  for (const field of changed) field.dispatchEvent(new Event('input', { bubbles: true }));
}
