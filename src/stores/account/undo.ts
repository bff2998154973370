import { atom } from 'nanostores';
import { describeUndo, undoChange } from '../../../contract/accounts/accounts.ts';
import { callAnonymously } from '../../api/browser.ts';
import { createMailedLink, isLinkRefused } from '../../browser/mailed-link.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';

/** A deletion that its own link cancels without a new password; null for other changes. */
type Deletion = 'account' | 'sounds' | null;

export type UndoState =
  | { readonly state: 'reading' | 'link-missing' }
  /** `restored`: the deletion that was undone without a new password; null: all changes were undone. */
  | { readonly state: 'done'; readonly restored: Deletion }
  /** `canRetry`: the link may still be valid. */
  | { readonly state: 'failed'; readonly problems: readonly string[]; readonly canRetry: boolean }
  | {
      readonly state: 'ready' | 'undoing';
      /** The change, in words. */
      readonly changes: readonly string[];
      /** ISO 8601, UTC. */
      readonly changedAt: string;
      readonly deletion: Deletion;
      /** Titles of the sounds of such a deletion. */
      readonly sounds: readonly string[];
      /** The changed sounds that get their former values with them: how many, and some of them in words. */
      readonly changed: { readonly count: number; readonly lines: readonly string[] };
      /** Downloads of sounds since their terms allowed more. */
      readonly widenedDownloads: number;
      readonly problems: readonly string[];
    };

/** Undoes a change by the link of the mail about it. Opening the link changes nothing; pressing the button does. */
export function createUndo() {
  const $undo = atom<UndoState>({ state: 'reading' });
  const link = createMailedLink({ key: 'undo', names: ['token'] });
  let token = '';

  function start(): void {
    const opened = link.read();
    if (opened === null) return $undo.set({ state: 'link-missing' });
    token = opened.token;
    void read();
  }

  async function read(): Promise<void> {
    $undo.set({ state: 'reading' });
    try {
      const reply = await callAnonymously(describeUndo, { body: { token } });
      const { changes, changed_at: changedAt, can_keep_password: canKeepPassword, sounds = [] } = reply;
      const changed = { count: reply.changed_count ?? 0, lines: reply.changed_sounds ?? [] };
      const widenedDownloads = reply.widened_downloads ?? 0;
      const isOfSounds = sounds.length + changed.count > 0;
      const deletion = canKeepPassword ? (isOfSounds ? 'sounds' : 'account') : null;
      $undo.set({
        state: 'ready',
        changes,
        changedAt,
        deletion,
        sounds,
        changed,
        widenedDownloads,
        problems: [],
      });
    } catch (error) {
      fail(error);
    }
  }

  /** `keepsPassword`: only cancels the deletion. */
  async function undo(keepsPassword = false): Promise<void> {
    const current = $undo.get();
    if (current.state !== 'ready') return;
    $undo.set({ ...current, state: 'undoing', problems: [] });
    try {
      await callAnonymously(undoChange, { body: { token, ...(keepsPassword && { keeps_password: true }) } });
      link.drop();
      $undo.set({ state: 'done', restored: keepsPassword ? current.deletion : null });
    } catch (error) {
      if (isLinkRefused(error)) fail(error);
      else $undo.set({ ...current, problems: toErrorMessages(error) });
    }
  }

  function fail(error: unknown): void {
    const isRefused = isLinkRefused(error);
    if (isRefused) link.drop();
    $undo.set({ state: 'failed', problems: toErrorMessages(error), canRetry: !isRefused });
  }

  return { $undo, start, read, undo };
}
