import { ApiError } from '../../../../contract/errors.ts';
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
} from '../../../../contract/operator/credits.ts';
import { callApi } from '../../../api/browser.ts';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { load } from '../../../stores/shared/load.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { presentError } from '../../../stores/shared/request-errors.ts';

/** A list that is read page by page. */
interface Pages<Item> {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** Whether the last read was for more items, and is repeated as such after a failure. */
  readonly isMore: boolean;
  readonly error: unknown;
}
type Groups = Pages<HeldGroup>;
/** The credits of the open group in one state. */
export interface OpenGroup extends Pages<Credit> {
  readonly group: HeldGroup;
  readonly listed: ListedState;
  /** The last page in `items`; 0 when there is none. */
  readonly page: number;
}

const NONE = { state: 'loading', items: [], hasMore: false, isMore: false, error: null } as const;
export const NO_GROUPS: Groups = NONE;

/** Held credits by artist and day, the oldest day first. */
export const $groups = memberAtom<Groups>(NO_GROUPS);
/** null: none is open. */
export const $openGroup = memberAtom<OpenGroup | null>(null);

/** Reads the groups from the first; with `isMore`, appends the next page. Never throws. */
export async function loadGroups(isMore = false): Promise<void> {
  const groups = $groups.get();
  if (isMore && groups.state === 'loading') return;
  const before = isMore ? groups.items : [];
  const last = before.at(-1);
  const loading: Groups = { ...groups, state: 'loading', isMore, error: null };
  await load(
    $groups,
    loading,
    async (signal) => {
      const query = last ? { after_day: last.day, after_artist: last.artist_id } : {};
      const { results, has_more: hasMore } = await callApi(listHeldGroups, { query, signal });
      return { ...loading, state: 'ready', items: [...before, ...results], hasMore };
    },
    (error) => ({ ...loading, state: 'failed', error }),
  );
}

/**
 * Shows a group's credits in a state from the first; with `isMore`, appends the next page. What is shown of the same list
 * stays meanwhile. Never throws.
 */
export async function openGroup(
  group: HeldGroup,
  listed: ListedState = 'held',
  isMore = false,
): Promise<void> {
  const opened = $openGroup.get();
  const isSame =
    opened?.group.day === group.day && opened.group.artist_id === group.artist_id && opened.listed === listed;
  if (isMore && opened?.state === 'loading') return;
  const shown = isSame ? opened : { ...NONE, page: 0 };
  const loading: OpenGroup = { ...shown, group, listed, state: 'loading', isMore, error: null };
  const [before, page] = isMore ? [shown.items, shown.page + 1] : [[], 1];
  await load(
    $openGroup,
    loading,
    async (signal) => {
      const query = { artist: group.artist_id, day: group.day, state: listed, page };
      const { results, has_more: hasMore } = await callApi(listGroupCredits, { query, signal });
      return { ...loading, state: 'ready', items: [...before, ...results], page, hasMore };
    },
    (error) => ({ ...loading, state: 'failed', error }),
  );
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
