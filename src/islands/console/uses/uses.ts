import {
  type StaffUse,
  type StaffUseAction,
  decideStaffUse,
  listStaffUses,
} from '../../../../contract/operator/uses.ts';
import { callApi } from '../../../api/browser.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createPaged } from '../../../stores/shared/paged.ts';
import { isDecidedByOthers } from '../decided-by-others.ts';

/** The reported uses, or those of a sound. */
export const staffUses = createPaged<StaffUse, { readonly sound?: string }>({
  idOf: ({ id }) => id,
  read: async (query, _, signal) => ({ ...(await callApi(listStaffUses, { query, signal })), next: null }),
});

/** Decides on a use. Returns whether nothing is left to decide. Never throws. */
export async function decideOnUse(
  id: string,
  action: StaffUseAction,
  reason: string,
  done: string,
): Promise<boolean> {
  const isDone = await attempt(
    (signal) => callApi(decideStaffUse, { params: { id }, body: { action, reason }, signal }),
    { done, isDone: isDecidedByOthers },
  );
  await staffUses.reload();
  return isDone;
}
