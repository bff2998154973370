import { computed } from 'nanostores';
import { type Transfer, listTransfers } from '../../../contract/finance.ts';
import { callApi } from '../../api/browser.ts';
import { $profile } from '../profile/profile.ts';
import { memberAtom } from '../shared/member-atom.ts';

/** The loaded part of a member's payout requests. */
export type TransferHistory =
  | { readonly state: 'closed' | 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'ready';
      /** Newest first. */
      readonly transfers: readonly Transfer[];
      /** null on the last page. */
      readonly next: number | null;
      readonly isLoadingMore: boolean;
      /** Why the next page could not be read. */
      readonly error?: unknown;
    };

/** Identifies the current request: answers to an older one, or for another member, are ignored. */
let reading = 0;

export const $transferHistory = memberAtom<TransferHistory>({ state: 'closed' }, () => {
  reading += 1;
});

/** The newest request according to the profile: the list is read again when it changes. */
const $newest = computed($profile, ({ data }) =>
  data ? `${data.transfer_request?.requested_at} ${data.last_transfer?.decided_at}` : null,
);

/** Reads the list; returns the function that stops following changes. */
export function openTransferHistory(): () => void {
  void read();
  let known = $newest.get();
  return $newest.listen((newest) => {
    if (newest === null || newest === known) return;
    known = newest;
    void read();
  });
}

/** Clears the list: it is read again when it is next opened. */
export function closeTransferHistory(): void {
  reading += 1;
  $transferHistory.set({ state: 'closed' });
}

/** Retries after a failure. */
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
    // A request made meanwhile has moved the others to later pages.
    const shown = new Set(transfers.map(({ id }) => id));
    const more = page.results.filter(({ id }) => !shown.has(id));
    show([...transfers, ...more], page.next);
  } catch (error) {
    if (turn === reading) $transferHistory.set({ ...known, error });
  }
}

/** Reads the first page. The shown list stays until it arrives. */
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
