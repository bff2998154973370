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
import { attempt } from '../../../stores/shared/attempt.ts';
import { createPaged } from '../../../stores/shared/paged.ts';

/** The credits of an artist's day in one state. */
export interface OpenGroup extends Pick<HeldGroup, 'artist_id' | 'day' | 'username'> {
  readonly listed: ListedState;
}

/** Held credits by artist and day, the oldest day first. */
export const groups = createPaged<HeldGroup, void, { after_day: number; after_artist: string }>({
  idOf: ({ day, artist_id }) => `${day} ${artist_id}`,
  async read(_, cursor, signal) {
    const { results, has_more } = await callApi(listHeldGroups, { query: cursor ?? {}, signal });
    const last = results.at(-1);
    return { results, next: has_more && last ? { after_day: last.day, after_artist: last.artist_id } : null };
  },
});

/** The credits of the open group. */
export const openCredits = createPaged<Credit, OpenGroup>({
  idOf: ({ id }) => id,
  async read({ artist_id: artist, day, listed: state }, cursor, signal) {
    const page = cursor ?? 1;
    const query = { artist, day, state, page };
    const { results, has_more } = await callApi(listGroupCredits, { query, signal });
    return { results, next: has_more ? page + 1 : null };
  },
});

/** Shows a group's credits in a state. */
export function openGroup(
  { artist_id, day, username }: OpenGroup | HeldGroup,
  listed: ListedState,
): Promise<void> {
  return openCredits.load({ artist_id, day, username, listed });
}

const DONE = { approve: '承認しました', reject: '却下しました', reverse: '取り消しました' } as const;

/** Decides on all held credits of a group, in as many calls as it takes. Returns whether nothing is left to decide. Never throws. */
export async function decideGroup(group: HeldGroup, action: GroupAction, reason: string): Promise<boolean> {
  const { artist_id, day, newest_at: until } = group;
  let [credits, yen, remaining] = [0, 0, 1];
  const isDecided = await attempt(
    async (signal) => {
      while (remaining > 0) {
        const body = { artist_id, day, until, action, reason };
        const reply = await callApi(decideHeldGroup, { body, signal });
        credits += reply.credits;
        yen += reply.yen;
        remaining = reply.remaining;
      }
    },
    { isDone: isDecidedByOthers },
  );
  if (credits > 0) showToast('success', `${formatCount(credits)}件、${formatYen(yen)}を${DONE[action]}`);
  await refresh();
  return isDecided;
}

/** Decides on one credit. Returns whether nothing is left to decide. Never throws. */
export async function decideOne(credit: Credit, action: CreditAction, reason: string): Promise<boolean> {
  const isDecided = await attempt(
    () => callApi(decideCredit, { params: { id: credit.id }, body: { action, reason } }),
    { done: `${formatYen(credit.yen)}を${DONE[action]}`, isDone: isDecidedByOthers },
  );
  await refresh();
  return isDecided;
}

/** Meanwhile; the list is read again. */
function isDecidedByOthers(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

async function refresh(): Promise<void> {
  await Promise.all([groups.reload(), openCredits.reload()]);
}
