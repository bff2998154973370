import { ApiError } from '../../../contract/calls/errors.ts';
import {
  NewUseSchema,
  type OwnUse,
  type UseDecision,
  type UseState,
  decideUses,
  listOwnUses,
  setUseMails,
  tellUse,
} from '../../../contract/artists/uses.ts';
import { callApi } from '../../api/browser.ts';
import { attempt } from '../shared/attempt.ts';
import { createForm } from '../shared/form.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { createPaged } from '../shared/paged.ts';

/** Tells the artist of a work in which a downloaded sound was used. */
export function createUse(certificate: string) {
  return createForm({
    schema: NewUseSchema,
    draft: `use:${certificate}`,
    send: (use) => callApi(tellUse, { params: { id: certificate }, body: use }),
  });
}

/** Whether new uses are mailed to the member; null: not known yet. */
export const $isUseMailed = memberAtom<boolean | null>(null);

/** The uses of the member's sounds in one state. */
export const ownUses = createPaged<OwnUse, UseState, string>({
  idOf: ({ id }) => id,
  async read(state, cursor, signal) {
    const query = { state, ...(cursor !== null && { cursor }) };
    const { results, next, is_mailed } = await callApi(listOwnUses, { query, signal });
    if (!signal.aborted) $isUseMailed.set(is_mailed ?? false);
    return { results, next: next ?? null };
  },
});

const DONE: Readonly<Record<UseDecision, string>> = {
  confirmed: '公開しました',
  hidden: '非表示にしました',
  reported: '運営に報告しました',
};

export const $isDecidingUses = memberAtom(false);

/** Confirms, hides or reports uses. Returns whether they have left the list. Never throws. */
export async function decideOnUses(ids: readonly string[], state: UseDecision): Promise<boolean> {
  if ($isDecidingUses.get()) return false;
  $isDecidingUses.set(true);
  const isDone = await attempt((signal) => callApi(decideUses, { body: { ids: [...ids], state }, signal }), {
    done: ids.length === 1 ? DONE[state] : `${ids.length}件：${DONE[state]}`,
    isDone: (error) => error instanceof ApiError && error.status === 409,
  });
  if (isDone) for (const id of ids) ownUses.remove(id);
  $isDecidingUses.set(false);
  void ownUses.reload();
  return isDone;
}

/** Turns the weekly mail on or off. It is shown at once, and taken back when the host refuses it. */
export async function changeUseMails(isMailed: boolean): Promise<void> {
  $isUseMailed.set(isMailed);
  const isDone = await attempt((signal) => callApi(setUseMails, { body: { is_mailed: isMailed }, signal }), {
    done: isMailed ? '週1回のメールをお送りします' : 'メールを止めました',
  });
  if (!isDone && $isUseMailed.get() === isMailed) $isUseMailed.set(!isMailed);
}
