import * as v from 'valibot';
import { CHANGED_SOUNDS_MAX, updateSound } from '../../../contract/my-sounds.ts';
import { type SoundValues, mySounds, sendSoundChange, sendSoundValues } from '../my-sounds/my-sounds.ts';
import { attempt } from '../shared/attempt.ts';
import { memberAtom } from '../shared/member-atom.ts';
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
      /** What brings the old values back; null once it is too late. */
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
  const changed = outcomes.filter((outcome) => isChange(outcome) || takesPicture(outcome, picture));
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

/** Brings back what the last change replaced, in rows that have not changed since. Never throws. */
export async function undoChanges(): Promise<void> {
  const known = $applying.get();
  if (known.state === 'done' && known.undo !== null) await apply(known.undo, [], 'undo');
}

export function dismissResult(): void {
  if ($applying.get().state === 'done') $applying.set({ state: 'idle' });
}

async function apply(
  changes: readonly Change[],
  refusedBefore: readonly RefusedRow[],
  kind: 'change' | 'undo',
): Promise<void> {
  if ($applying.get().state === 'sending') return;
  const refused = [...refusedBefore];
  const undo = new Map<string, Change>();
  const done = new Set<string>();
  const note = () => $applying.set({ state: 'sending', done: done.size, total: changes.length });
  const refuse = ({ id, title }: Change, reason: string) => refused.push({ id, title, reason });
  note();
  for (const change of changes.filter(({ isUpload }) => isUpload)) {
    const prepared = { ...findUpload(change.id)?.prepared, ...change.values };
    if (prepareUpload(change.id, prepared)) {
      done.add(change.id);
      undo.set(change.id, toUndo(change));
    } else refuse(change, GONE);
  }
  const sounds = changes.filter(({ isUpload, values }) => !isUpload && Object.keys(values).length > 0);
  for (let from = 0; from < sounds.length; from += CHANGED_SOUNDS_MAX) {
    const batch = sounds.slice(from, from + CHANGED_SOUNDS_MAX);
    const isSent = await attempt(async (signal) => {
      const rows = batch.map(({ id, version, values }) => ({ id, updated_at: version, values }));
      const reply = await sendSoundValues(rows, signal);
      for (const sound of reply.changed) {
        const change = batch.find(({ id }) => id === sound.id);
        if (change) undo.set(sound.id, toUndo(change, sound.updated_at));
        done.add(sound.id);
        mySounds.change(sound.id, sound);
      }
      for (const { id, reason } of reply.refused) {
        const change = batch.find((each) => each.id === id);
        if (change) refuse(change, reason);
      }
    });
    if (!isSent) {
      for (const change of sounds.slice(from)) refuse(change, NOT_SENT);
      break;
    }
    note();
  }
  const isRefused = ({ id }: Change) => refused.some((row) => row.id === id);
  let isSent = true;
  for (const change of changes.filter(({ picture }) => picture !== null)) {
    if (isRefused(change)) continue;
    isSent &&= await attempt(async () => {
      const version = await sendPicture(change);
      done.add(change.id);
      if (undo.has(change.id)) undo.set(change.id, toUndo(change, version));
      note();
    });
    if (!isSent) refuse(change, `サムネイルを${NOT_SENT}`);
  }
  const result = { state: 'done', kind, changed: done.size, refused } as const;
  const canUndo = kind === 'change' && undo.size > 0;
  const shown: Applying = { ...result, undo: canUndo ? [...undo.values()] : null };
  $applying.set(shown);
  if (canUndo) {
    setTimeout(() => {
      if ($applying.get() === shown) $applying.set({ ...result, undo: null });
    }, UNDO_MS);
  }
}

/** Whether a row would get a picture. */
export function takesPicture({ row, problem }: Outcome, picture: File | null): boolean {
  return picture !== null && problem === null && row.sound !== null;
}

/** Returns when the sound was changed by it. */
async function sendPicture({ id, picture }: Change): Promise<string | undefined> {
  const save = { rows: {}, thumbnail: picture };
  const reply = await sendSoundChange(id, save, { onProgress: () => undefined });
  const { sound } = v.parse(updateSound.reply, reply);
  if (sound) mySounds.change(id, sound);
  return sound?.updated_at;
}

function toUndo({ values, before, ...row }: Change, version?: string): Change {
  return { ...row, values: before, before: values, version, picture: null };
}
