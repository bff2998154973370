import * as v from 'valibot';
import { CHANGED_SOUNDS_MAX, updateSound } from '../../../contract/sounds/my-sounds.ts';
import { lenient } from '../../api/lenient.ts';
import { type SoundValues, mySounds, sendSoundChange, sendSoundValues } from '../my-sounds/my-sounds.ts';
import { attempt } from '../shared/attempt.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { findUpload, prepareUpload } from '../uploads/uploads.ts';
import { type Outcome, isChange } from './plan.ts';

/** How long a change can be undone with one press. */
const UNDO_MS = 10_000;
const NOT_SENT = '送信できませんでした。';
const GONE = 'アップロードが終わったか、取り消されています。';

/** A row that stays as it was. */
export interface RefusedRow {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

export type Applying =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly done: number; readonly total: number }
  | {
      readonly state: 'done';
      readonly kind: 'change' | 'undo';
      readonly changed: number;
      readonly refused: readonly RefusedRow[];
      /** Changes that restore the old values; null once it is too late. */
      readonly undo: readonly Change[] | null;
    };

/** New values of a sound or an upload. */
interface Change {
  readonly id: string;
  readonly title: string;
  readonly isUpload: boolean;
  readonly values: SoundValues;
  /** What these values replace. */
  readonly before: SoundValues;
  /** When the sound was last changed, as it was read. */
  readonly version: string | undefined;
  /** Sent last, by itself. Undo leaves it: the host keeps no replaced picture for its artist. */
  readonly picture: File | null;
}

export const $applying = memberAtom<Applying>({ state: 'idle' });

/** Changes the rows as planned; those with a problem are named. Only sounds get the picture. Never throws. */
export async function applyOutcomes(
  outcomes: readonly Outcome[],
  picture: File | null = null,
): Promise<void> {
  const refused = outcomes.flatMap(({ row: { id, title }, problem }) =>
    problem === null ? [] : [{ id, title, reason: problem }],
  );
  const changed = outcomes.filter((outcome) => isChange(outcome) || hasNewPicture(outcome, picture));
  const changes = changed.map(({ row: { id, title, saved, sound }, values }) => ({
    id,
    title,
    isUpload: sound === null,
    values,
    before: Object.fromEntries(Object.keys(values).map((name) => [name, saved[name as keyof SoundValues]])),
    version: sound?.updated_at,
    picture: sound === null ? null : picture,
  }));
  await apply(changes, refused, 'change');
}

/** Restores the values before the last change, in rows that have not changed since. Never throws. */
export async function undoChanges(): Promise<void> {
  const current = $applying.get();
  if (current.state === 'done' && current.undo !== null) await apply(current.undo, [], 'undo');
}

export function dismissResult(): void {
  if ($applying.get().state === 'done') $applying.set({ state: 'idle' });
}

/** Progress of the changes. */
interface Run {
  readonly changes: readonly Change[];
  readonly refused: RefusedRow[];
  readonly undo: Map<string, Change>;
  readonly done: Set<string>;
  /** Aborts when the member leaves: then nothing more is sent or shown. */
  readonly signal: AbortSignal;
}

async function apply(
  changes: readonly Change[],
  refusedBefore: readonly RefusedRow[],
  kind: 'change' | 'undo',
): Promise<void> {
  if ($applying.get().state === 'sending') return;
  const signal = memberSignal();
  const run: Run = { changes, refused: [...refusedBefore], undo: new Map(), done: new Set(), signal };
  showProgress(run);
  prepareUploads(run);
  for (const send of [sendValues, sendPictures]) {
    await send(run);
    if (signal.aborted) return;
  }
  showResult(run, kind);
}

function showProgress({ changes, done }: Run): void {
  $applying.set({ state: 'sending', done: done.size, total: changes.length });
}

function refuse({ refused }: Run, { id, title }: Change, reason: string): void {
  refused.push({ id, title, reason });
}

/** An upload gets its values now and passes them to its sound. */
function prepareUploads(run: Run): void {
  for (const change of run.changes.filter(({ isUpload }) => isUpload)) {
    const prepared = { ...findUpload(change.id)?.prepared, ...change.values };
    if (prepareUpload(change.id, prepared)) {
      run.done.add(change.id);
      run.undo.set(change.id, toUndo(change));
    } else refuse(run, change, GONE);
  }
}

async function sendValues(run: Run): Promise<void> {
  const sounds = run.changes.filter(({ isUpload, values }) => !isUpload && Object.keys(values).length > 0);
  for (let from = 0; from < sounds.length; from += CHANGED_SOUNDS_MAX) {
    const isSent = await attempt(() => sendBatch(run, sounds.slice(from, from + CHANGED_SOUNDS_MAX)));
    if (run.signal.aborted) return;
    if (!isSent) {
      for (const change of sounds.slice(from)) refuse(run, change, NOT_SENT);
      return;
    }
    showProgress(run);
  }
}

async function sendBatch(run: Run, batch: readonly Change[]): Promise<void> {
  const rows = batch.map(({ id, version, values }) => ({ id, updated_at: version, values }));
  const reply = await sendSoundValues(rows, run.signal);
  run.signal.throwIfAborted();
  for (const sound of reply.changed) {
    const change = batch.find(({ id }) => id === sound.id);
    if (change) run.undo.set(sound.id, toUndo(change, sound.updated_at));
    run.done.add(sound.id);
    mySounds.change(sound.id, sound);
  }
  for (const { id, reason } of reply.refused) {
    const change = batch.find((each) => each.id === id);
    if (change) refuse(run, change, reason);
  }
}

async function sendPictures(run: Run): Promise<void> {
  const isRefused = ({ id }: Change) => run.refused.some((row) => row.id === id);
  let isSent = true;
  for (const change of run.changes.filter(({ picture }) => picture !== null)) {
    if (isRefused(change)) continue;
    isSent &&= await attempt(() => sendPicture(run, change));
    if (run.signal.aborted) return;
    if (isSent) showProgress(run);
    else refuse(run, change, `サムネイルを${NOT_SENT}`);
  }
}

/** The picture changes the sound as well, so undo needs the time of that. */
async function sendPicture({ done, undo, signal }: Run, change: Change): Promise<void> {
  const { id, picture } = change;
  const reply = await sendSoundChange(id, { rows: {}, thumbnail: picture }, { signal });
  signal.throwIfAborted();
  const { sound } = v.parse(lenient(updateSound.reply), reply);
  if (sound) mySounds.change(id, sound);
  done.add(id);
  if (undo.has(id)) undo.set(id, toUndo(change, sound?.updated_at));
}

function showResult({ done, refused, undo }: Run, kind: 'change' | 'undo'): void {
  const result = { state: 'done', kind, changed: done.size, refused } as const;
  const canUndo = kind === 'change' && undo.size > 0;
  const applied: Applying = { ...result, undo: canUndo ? [...undo.values()] : null };
  $applying.set(applied);
  if (canUndo) {
    setTimeout(() => {
      if ($applying.get() === applied) $applying.set({ ...result, undo: null });
    }, UNDO_MS);
  }
}

/** Whether a row would get a picture. */
export function hasNewPicture({ row, problem }: Outcome, picture: File | null): boolean {
  return picture !== null && problem === null && row.sound !== null;
}

function toUndo({ values, before, ...row }: Change, version?: string): Change {
  return { ...row, values: before, before: values, version, picture: null };
}
