import type { ReadableAtom } from 'nanostores';
import type { Conflict, FormConflict as ConflictLogic, FormLogic, FormValues } from '../../lib/form-state.ts';
import { Icon } from './Icon.tsx';
import { useStore } from './use-store.ts';

interface ConflictNoteProps {
  /** Says who saved first. */
  problem: string;
  /** The saved values of the fields that differ; null: it was deleted. */
  theirs: readonly (readonly [label: string, text: string])[] | null;
  onTake: () => void;
  /** Absent if what was deleted cannot be recreated. */
  onKeep?: (() => void) | undefined;
}

/** Another change was saved first: the typed text is still there, and the user chooses. Stays while they type. */
export function ConflictNote({ problem, theirs, onTake, onKeep }: ConflictNoteProps) {
  return (
    <div ref={scrollOnMount} className="form-note conflict" role="alert">
      <p className="form-problem">
        <Icon name="warning" className="size-5 flex-none" />
        {problem}
      </p>
      <p>入力した内容は、このまま残っています。</p>
      {theirs && theirs.length > 0 && (
        <dl className="conflict-theirs">
          {theirs.map(([label, text]) => (
            <div key={label}>
              <dt>いま保存されている{label}</dt>
              <dd tabIndex={0}>{text || '（空）'}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="flex flex-wrap gap-2">
        {theirs && (
          <button type="button" className="button" onClick={onTake}>
            保存されている内容を使う
          </button>
        )}
        {onKeep && (
          <button type="button" className="button" onClick={onKeep}>
            {theirs ? '入力した内容で置き換える' : '入力した内容で作り直す'}
          </button>
        )}
      </div>
    </div>
  );
}

/** The button that was pressed may be far from the notice, or move below the edge because of it. */
function scrollOnMount(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

/** The labels of all fields of a form, by name; null for one that nobody can change later. */
type Labels<Values> = Readonly<Record<keyof Values, string | null>>;

interface FormConflictProps<Values> {
  logic: FormLogic & {
    readonly conflict?: { readonly $conflict: ReadableAtom<Conflict<Values> | null> } | undefined;
  };
  labels: Labels<Values>;
  canCreate?: boolean;
}

/** The conflict of a form that several people may edit, if there is one. */
export function FormConflict<Values>({ logic, ...props }: FormConflictProps<Values>) {
  return logic.conflict ? <ConflictView {...props} logic={logic} conflict={logic.conflict} /> : null;
}

interface ConflictViewProps {
  logic: FormLogic;
  conflict: ConflictLogic;
  labels: Labels<FormValues>;
  canCreate?: boolean;
}

function ConflictView({
  logic,
  labels,
  canCreate = true,
  conflict: { $conflict, takeTheirs, keepMine },
}: ConflictViewProps) {
  const conflict = useStore($conflict);
  const values = useStore(logic.$values);
  if (conflict === null) return null;
  const { problem, theirs } = conflict;
  const differing = Object.entries(labels).flatMap(([name, label]) =>
    theirs && label !== null && (theirs[name] || '') !== (values[name] || '')
      ? [[label, toText(theirs[name])] as const]
      : [],
  );
  return (
    <ConflictNote
      problem={problem}
      theirs={theirs && differing}
      onTake={takeTheirs}
      onKeep={theirs || canCreate ? () => void keepMine() : undefined}
    />
  );
}

/** What a field of type `datetime-local` contains. */
const MINUTE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)$/;

function toText(value: FormValues[string]): string {
  if (typeof value === 'boolean') return value ? 'はい' : 'いいえ';
  return typeof value === 'string' ? value.replace(MINUTE, '$1/$2/$3 $4') : '';
}
