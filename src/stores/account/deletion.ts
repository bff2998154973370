import { navigate } from '../../navigation/navigate.ts';
import { atom } from 'nanostores';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { previewDeletion, requestDeletion } from '../../../contract/accounts/own-data.ts';
import type { DeletionPreview } from '../../../contract/accounts/own-data.ts';
import { callApi } from '../../api/browser.ts';
import { showAlert } from '../overlays/overlays.ts';
import { memberSignal } from '../shared/member-atom.ts';
import { isCancelled, presentError } from '../shared/request-errors.ts';
import { clearSession } from './actions.ts';

export type DeletionState =
  | { readonly state: 'closed' | 'loading' }
  | { readonly state: 'failed'; readonly problems: readonly string[] }
  | { readonly state: 'open'; readonly preview: DeletionPreview; readonly problems: readonly string[] }
  | { readonly state: 'sending'; readonly preview: DeletionPreview };

/** The deletion of the member's account: what it means, then the request. */
export function createDeletion() {
  const $deletion = atom<DeletionState>({ state: 'closed' });
  /** Of the opening that is under way: an earlier answer must not open a dialog that was closed. */
  let opening = 0;

  async function open(problems: readonly string[] = []): Promise<void> {
    const own = (opening += 1);
    $deletion.set({ state: 'loading' });
    let next: DeletionState;
    try {
      next = { state: 'open', preview: await callApi(previewDeletion, { signal: memberSignal() }), problems };
    } catch (error) {
      next = { state: 'failed', problems: presentError(error, { toasts: 'none' }).problems };
    }
    if (own === opening) $deletion.set(next);
  }

  function close(): void {
    if ($deletion.get().state === 'sending') return;
    opening += 1;
    $deletion.set({ state: 'closed' });
  }

  /** Requests the deletion and gives up the displayed balance. Removes the data of the member from this browser. */
  async function send(): Promise<void> {
    const current = $deletion.get();
    if (current.state !== 'open') return;
    const { preview } = current;
    $deletion.set({ state: 'sending', preview });
    try {
      const { deleted_at } = await callApi(requestDeletion, { body: { forfeit: preview.balance } });
      $deletion.set({ state: 'closed' });
      clearSession();
      await navigate('/');
      showAlert(
        `アカウントの削除を受け付けました。${formatDateTime(Date.parse(deleted_at))}以降に削除します。それまでは、お送りしたメールのリンクから取り消せます。`,
      );
    } catch (error) {
      if (isCancelled(error)) return $deletion.set({ ...current, problems: [] });
      // The balance may have changed, or a payout was requested in another tab.
      await open(presentError(error, { toasts: 'none' }).problems);
    }
  }

  return { $deletion, open: () => void open(), close, send };
}
