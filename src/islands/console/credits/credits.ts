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
import { attemptEach } from '../../../stores/shared/attempt-each.ts';
import { isDecidedByOthers } from '../decided-by-others.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';

/** The credits of an artist's day in one state. */
export interface OpenGroup extends Pick<HeldGroup, 'artist_id' | 'day' | 'username'> {
  readonly listed: ListedState;
}

/** Held credits by artist and day, the oldest day first. */
export const groups = createPaged<HeldGroup, void, { after_day: number; after_artist: string }>({
  idOf: toKey,
  async read(_, cursor, signal) {
    const { results, has_more } = await callApi(listHeldGroups, { query: cursor ?? {}, signal });
    const last = results.at(-1);
    return { results, next: has_more && last ? { after_day: last.day, after_artist: last.artist_id } : null };
  },
});

/** Keys of the chosen groups, and ids of the chosen credits of the open group. */
export const $chosenGroups = memberAtom<readonly string[]>([]);
export const $chosenCredits = memberAtom<readonly string[]>([]);

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
  $chosenCredits.set([]);
  return openCredits.load({ artist_id, day, username, listed });
}

const DONE = { approve: '承認しました', reject: '却下しました', reverse: '取り消しました' } as const;

/** Identifies a group. */
export function toKey({ day, artist_id }: Pick<HeldGroup, 'artist_id' | 'day'>): string {
  return `${day} ${artist_id}`;
}

/**
 * Decides on all held credits of groups, in as many calls as it takes. Returns whether nothing is left to decide. Never
 * throws.
 */
export async function decideGroups(
  chosen: readonly HeldGroup[],
  action: GroupAction,
  reason: string,
): Promise<boolean> {
  let [credits, yen] = [0, 0];
  const decide = async ({ artist_id, day, newest_at: until }: HeldGroup, signal: AbortSignal) => {
    for (let remaining = 1; remaining > 0;) {
      const body = { artist_id, day, until, action, reason };
      const reply = await callApi(decideHeldGroup, { body, signal });
      credits += reply.credits;
      yen += reply.yen;
      remaining = reply.remaining;
    }
  };
  const isDecided = await attemptEach(chosen, decide, { isDone: isDecidedByOthers });
  await finish(credits, yen, action);
  return isDecided;
}

/** Decides on credits. Returns whether nothing is left to decide. Never throws. */
export async function decideCredits(
  chosen: readonly Credit[],
  action: CreditAction,
  reason: string,
): Promise<boolean> {
  let [credits, yen] = [0, 0];
  const decide = async (credit: Credit, signal: AbortSignal) => {
    await callApi(decideCredit, { params: { id: credit.id }, body: { action, reason }, signal });
    credits += 1;
    yen += credit.yen;
  };
  const isDecided = await attemptEach(chosen, decide, { isDone: isDecidedByOthers });
  await finish(credits, yen, action);
  return isDecided;
}

async function finish(credits: number, yen: number, action: CreditAction): Promise<void> {
  if (credits > 0) showToast('success', `${formatCount(credits)}件、${formatYen(yen)}を${DONE[action]}`);
  await Promise.all([groups.reload(), openCredits.reload()]);
}
