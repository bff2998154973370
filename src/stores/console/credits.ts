import { ApiError } from '../../../contract/errors.ts';
import {
  type Credit,
  type CreditAction,
  type GroupAction,
  type HeldGroup,
  type ListedState,
  decideCredit,
  decideHeldGroup,
  listGroupCredits,
  listHeldGroups,
} from '../../../contract/operator-credits.ts';
import { callApi } from '../../api/browser.ts';
import { formatCount, formatYen } from '../../lib/format.ts';
import { showToast } from '../overlays/overlays.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

/** A list that is read page by page. */
interface Pages<Item> {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly error: unknown;
}
type Groups = Pages<HeldGroup>;
/** The credits of the open group in one state. */
export interface OpenGroup extends Pages<Credit> {
  readonly group: HeldGroup;
  readonly listed: ListedState;
  readonly page: number;
}

export const NO_GROUPS: Groups = { state: 'loading', items: [], hasMore: false, error: null };

/** Held credits by artist and day, the oldest day first. */
export const $groups = memberAtom<Groups>(NO_GROUPS);
/** null: none is open. */
export const $openGroup = memberAtom<OpenGroup | null>(null);

/** Reads the groups from the first; with `isMore`, appends the next page. Never throws. */
export async function loadGroups(isMore = false): Promise<void> {
  const before = isMore ? $groups.get().items : [];
  const last = before.at(-1);
  $groups.set({ ...$groups.get(), state: 'loading' });
  try {
    const query = last ? { after_day: last.day, after_artist: last.artist_id } : {};
    const reply = await callApi(listHeldGroups, { query, signal: memberSignal() });
    const items = [...before, ...reply.results];
    $groups.set({ state: 'ready', items, hasMore: reply.has_more, error: null });
  } catch (error) {
    $groups.set({ ...$groups.get(), state: 'failed', error });
  }
}

/** Shows a group's credits in a state; with `page`, appends that page. Never throws. */
export async function openGroup(group: HeldGroup, listed: ListedState = 'held', page = 1): Promise<void> {
  const before = page === 1 ? [] : ($openGroup.get()?.items ?? []);
  const opened: OpenGroup = {
    group,
    listed,
    page,
    state: 'loading',
    items: before,
    hasMore: false,
    error: null,
  };
  $openGroup.set(opened);
  try {
    const query = { artist: group.artist_id, day: group.day, state: listed, page };
    const reply = await callApi(listGroupCredits, { query, signal: memberSignal() });
    // Another group, or another state, has been opened since.
    if ($openGroup.get() !== opened) return;
    const items = [...before, ...reply.results];
    $openGroup.set({ ...opened, state: 'ready', items, hasMore: reply.has_more });
  } catch (error) {
    if ($openGroup.get() === opened) $openGroup.set({ ...opened, state: 'failed', error });
  }
}

export function closeGroup(): void {
  $openGroup.set(null);
}

const DONE = { approve: '承認しました', reject: '却下しました', reverse: '取り消しました' } as const;

/** Decides on all held credits of a group, in as many calls as it takes. Returns whether nothing is left to decide. Never throws. */
export async function decideGroup(group: HeldGroup, action: GroupAction, reason: string): Promise<boolean> {
  const { artist_id, day, newest_at: until } = group;
  let [credits, yen, remaining] = [0, 0, 1];
  try {
    while (remaining > 0) {
      const body = { artist_id, day, until, action, reason };
      const reply = await callApi(decideHeldGroup, { body, signal: memberSignal() });
      credits += reply.credits;
      yen += reply.yen;
      remaining = reply.remaining;
    }
    return true;
  } catch (error) {
    presentError(error, { toasts: 'each' });
    return isDecided(error);
  } finally {
    if (credits > 0) showToast('success', `${formatCount(credits)}件、${formatYen(yen)}を${DONE[action]}`);
    await refresh();
  }
}

/** Decides on one credit. Returns whether nothing is left to decide. Never throws. */
export async function decideOne(credit: Credit, action: CreditAction, reason: string): Promise<boolean> {
  try {
    await callApi(decideCredit, { params: { id: credit.id }, body: { action, reason } });
    showToast('success', `${formatYen(credit.yen)}を${DONE[action]}`);
    return true;
  } catch (error) {
    presentError(error, { toasts: 'each' });
    return isDecided(error);
  } finally {
    await refresh();
  }
}

/** By somebody else meanwhile; the list is read again. */
function isDecided(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

async function refresh(): Promise<void> {
  await loadGroups();
  const opened = $openGroup.get();
  if (opened) await openGroup(opened.group, opened.listed);
}
