import { useStore } from '@nanostores/react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Draft } from '../../lib/drafts.ts';
import { type FormLogic, UNTOUCHED } from '../../lib/form-state.ts';
import { FormContext } from './form-context.ts';
import { ProblemNote } from './ProblemNote.tsx';
import { SubmitButton } from './SubmitButton.tsx';

interface FormProps {
  /** Unique on the page; the ids of the fields begin with it. */
  id: string;
  logic: FormLogic;
  submitLabel: string;
  /** The button's label after success, if the form stays visible. */
  doneLabel?: string;
  /** Values for empty fields, as soon as they are known. */
  known?: Draft;
  /** A remedy for a problem of the form as a whole. */
  remedy?: ReactNode;
  children: ReactNode;
}

export function Form({ id, logic, submitLabel, doneLabel, known, remedy, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const form = useStore(logic.$form);
  const { errors, problems, attempt } = form.state === 'editing' ? form : UNTOUCHED;
  useEffect(() => restore(listKept(element.current), logic.recall()), [logic]);
  useEffect(() => {
    if (known) restore(listKept(element.current), known);
  }, [known]);
  useEffect(() => {
    if (attempt > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void logic.submit(Object.fromEntries(new FormData(event.currentTarget)));
  };
  const follow = (event: FormEvent<HTMLFormElement>) => {
    logic.touch((event.target as HTMLInputElement).name);
    logic.keep(Object.fromEntries(listKept(event.currentTarget).map(({ name, value }) => [name, value])));
  };
  return (
    <form ref={element} id={id} className="form" method="post" noValidate onSubmit={submit} onInput={follow}>
      <FormContext value={{ id, errors }}>{children}</FormContext>
      <ProblemNote problems={problems}>{remedy}</ProblemNote>
      <SubmitButton state={form.state} label={submitLabel} doneLabel={doneLabel ?? submitLabel} />
    </form>
  );
}

/** The fields that are saved as a draft until the form is sent. */
function listKept(form: HTMLFormElement | null): HTMLInputElement[] {
  return form ? [...form.querySelectorAll<HTMLInputElement>('[data-draft]')] : [];
}

/** Text already in a field is newer than the draft. */
function restore(fields: readonly HTMLInputElement[], draft: Draft): void {
  for (const field of fields) {
    const text = draft[field.name];
    if (field.value !== '' || text === undefined) continue;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
