import { computed } from 'nanostores';
import { type Transfer, listTransfers } from '../../../contract/finance.ts';
import { callApi } from '../../api/browser.ts';
import { $profile } from '../profile/profile.ts';
import { memberAtom } from '../shared/member-atom.ts';

/** A member's payout requests as far as they have been read. */
export type TransferHistory =
  | { readonly state: 'closed' | 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'ready';
      /** The newest first. */
      readonly transfers: readonly Transfer[];
      /** null on the last page. */
      readonly next: number | null;
      readonly isLoadingMore: boolean;
      /** Why the next page could not be read. */
      readonly error?: unknown;
    };

/** Which answer counts: an older one, or one for another member, means nothing any more. */
let reading = 0;

export const $transferHistory = memberAtom<TransferHistory>({ state: 'closed' }, () => {
  reading += 1;
});

/** What the profile says of the newest request: the list is read again when that changes. */
const $newest = computed($profile, ({ data }) =>
  data ? `${data.transfer_request?.requested_at} ${data.last_transfer?.decided_at}` : null,
);

/** Reads the list; returns the function that stops following what happens to the requests. */
export function openTransferHistory(): () => void {
  void read();
  let known = $newest.get();
  return $newest.listen((newest) => {
    if (newest === null || newest === known) return;
    known = newest;
    void read();
  });
}

/** Forgets the list: it is read again when it is next opened. */
export function closeTransferHistory(): void {
  reading += 1;
  $transferHistory.set({ state: 'closed' });
}

/** Asks again after a failure. */
export function reloadTransferHistory(): void {
  void read();
}

export async function showMoreTransfers(): Promise<void> {
  const known = $transferHistory.get();
  if (known.state !== 'ready' || known.next === null || known.isLoadingMore) return;
  const { transfers, next } = known;
  $transferHistory.set({ state: 'ready', transfers, next, isLoadingMore: true });
  const turn = (reading += 1);
  try {
    const page = await callApi(listTransfers, { query: { page: next } });
    if (turn !== reading) return;
    // A request that was made meanwhile has moved the others onto later pages.
    const shown = new Set(transfers.map(({ id }) => id));
    const more = page.results.filter(({ id }) => !shown.has(id));
    show([...transfers, ...more], page.next);
  } catch (error) {
    if (turn === reading) $transferHistory.set({ ...known, error });
  }
}

/** Reads the first page. What is shown stays until it is here. */
async function read(): Promise<void> {
  const turn = (reading += 1);
  if ($transferHistory.get().state !== 'ready') $transferHistory.set({ state: 'loading' });
  try {
    const { results, next } = await callApi(listTransfers);
    if (turn === reading) show(results, next);
  } catch (error) {
    if (turn === reading) $transferHistory.set({ state: 'failed', error });
  }
}

function show(transfers: readonly Transfer[], next: number | null): void {
  $transferHistory.set({ state: 'ready', transfers, next, isLoadingMore: false });
}
