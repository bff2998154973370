import { computed } from 'nanostores';
import { type OwnPayout, listOwnPayouts } from '../../../contract/payouts/payouts.ts';
import { callApi } from '../../api/browser.ts';
import { $profile } from '../profile/profile.ts';
import { createPaged } from '../shared/paged.ts';

/** A member's payout requests, newest first. */
export const transferHistory = createPaged<OwnPayout>({
  idOf: ({ id }) => id,
  read: (_, page, signal) => callApi(listOwnPayouts, { query: { ...(page !== null && { page }) }, signal }),
});

/** The newest request according to the profile: the list is read again when it changes. */
const $newest = computed($profile, ({ data }) =>
  data ? `${data.transfer_request?.requested_at} ${data.last_transfer?.decided_at}` : null,
);

/** Reads the list; returns the function that stops following changes. */
export function openTransferHistory(): () => void {
  void transferHistory.load();
  let previous = $newest.get();
  return $newest.listen((newest) => {
    if (newest === null || newest === previous) return;
    previous = newest;
    void transferHistory.load();
  });
}
