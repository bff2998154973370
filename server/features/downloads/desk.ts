import {
  CREDITS_PAGE_SIZE,
  decideCredit,
  decideHeldGroup,
  listGroupCredits,
  listHeldGroups,
} from '../../../contract/operator/credits.ts';
import type { Credit, CreditAction, HeldGroup } from '../../../contract/operator/credits.ts';
import { CreditBlocked, toBlockerText } from './credit-blocked.ts';
import { approveCredit, rejectCredit } from './review.ts';
import { approveHeldCredits, rejectHeldCredits } from './review-many.ts';
import { findLastDecision, listHeldGroups as selectHeldGroups } from './held-groups.ts';
import { reverseCredit } from './credit-reversal.ts';
import { selectCredits } from './review-queries.ts';
import type { CreditState } from './review-queries.ts';
import { Problem } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { toEarlierActorProblem } from '../staff/actions.ts';
import { DECIDING_RECENTLY, READING_RECENTLY } from '../staff/rules.ts';

type CreditDeps = Pick<Platform, 'database' | 'clock'> & { readonly rewardPendingDays: number };

/** Enough to recognise two from the same browser or network. */
const MARK_LENGTH = 6;
/** Credits that one call decides; downloads wait while a batch of them is decided. */
const DECIDED_MAX = 1_000;

/** Credits in the console. */
export const CREDIT_ROUTES: readonly Route<CreditDeps>[] = [
  route(
    listHeldGroups,
    READING_RECENTLY,
    async ({ query: { after_day, after_artist }, caller }, { database }) => {
      const after =
        after_day === undefined || after_artist === undefined
          ? undefined
          : { day: after_day, artistId: after_artist };
      const groups = await selectHeldGroups(database.db, CREDITS_PAGE_SIZE + 1, after);
      return {
        results: groups.slice(0, CREDITS_PAGE_SIZE).map((group): HeldGroup => ({
          artist_id: group.artistId,
          username: group.username,
          day: group.day,
          credits: group.credits,
          yen: group.yen,
          reasons: [...group.reasons],
          newest_at: group.newestAt,
          obstacle: toObstacle(group.artistId, group.isBlocked, caller.id),
        })),
        has_more: groups.length > CREDITS_PAGE_SIZE,
      };
    },
  ),

  route(
    listGroupCredits,
    READING_RECENTLY,
    async ({ query: { artist, day, state = 'held', page = 1 }, caller }, { database }) => {
      const offset = (page - 1) * CREDITS_PAGE_SIZE;
      const filter = { state, artistId: artist, day };
      const found = await selectCredits(database.db, filter, CREDITS_PAGE_SIZE + 1, offset);
      return {
        results: found.slice(0, CREDITS_PAGE_SIZE).map((credit): Credit => ({
          id: credit.id,
          created_at: credit.created_at,
          artist: credit.artist,
          yen: credit.yen,
          reason: credit.reason,
          title: credit.title,
          visitor: toMark(credit.visitor),
          network: toMark(credit.network),
          decided_at: credit.decided_at,
          decided_by: credit.decided_by_name,
          allowed: toAllowed(state, toObstacle(credit.artist_id, credit.is_blocked === 1, caller.id)),
        })),
        has_more: found.length > CREDITS_PAGE_SIZE,
      };
    },
  ),

  route(
    decideHeldGroup,
    DECIDING_RECENTLY,
    async ({ body: { artist_id: artistId, day, until, action, reason }, caller }, deps) => {
      const filter = { artistId, day, until };
      const { credits, yen, skipped, remaining } = await (action === 'approve'
        ? approveHeldCredits(deps, filter, caller.id, DECIDED_MAX)
        : rejectHeldCredits(deps, filter, caller.id, reason, DECIDED_MAX));
      if (credits === 0 && skipped) throw new CreditBlocked(skipped.blocker);
      if (credits === 0) throw await toConflict(deps, { artistId, day });
      return { credits, yen, remaining };
    },
  ),

  route(decideCredit, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => ({
    state: await decide(deps, id, caller.id, body),
  })),
];

function toObstacle(artistId: string, isBlocked: boolean, staffId: string): string {
  if (artistId === staffId) return toBlockerText('own');
  return isBlocked ? toBlockerText('artist-blocked') : '';
}

function toAllowed(state: CreditState, obstacle: string): CreditAction[] {
  if (state === 'held') return obstacle === '' ? ['approve', 'reject'] : ['reject'];
  return state === 'credited' ? ['reverse'] : [];
}

/** Throws `Problem` like the services, and 409 that names who decided first. */
async function decide(
  deps: CreditDeps,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: CreditAction; readonly reason: string },
): Promise<'credited' | 'rejected' | 'reversed'> {
  try {
    if (action === 'approve') await approveCredit(deps, id, staffId);
    else if (action === 'reject') await rejectCredit(deps, id, staffId, reason);
    else await reverseCredit(deps, id, staffId, reason);
  } catch (error) {
    const isConflict =
      error instanceof CreditBlocked
        ? error.blocker === 'not-credited'
        : error instanceof Problem && error.status === 409;
    throw isConflict ? await toConflict(deps, { id }) : error;
  }
  return action === 'approve' ? 'credited' : action === 'reject' ? 'rejected' : 'reversed';
}

const VERDICTS: Readonly<Partial<Record<CreditState, string>>> = {
  credited: '承認しています',
  rejected: '却下しています',
  reversed: '取り消しています',
};

async function toConflict(
  { database }: CreditDeps,
  of: Parameters<typeof findLastDecision>[1],
): Promise<Problem> {
  const last = await findLastDecision(database.db, of);
  const verdict = last && VERDICTS[last.state];
  return verdict === undefined
    ? new Problem(409, 'この報酬は、もう保留されていません。一覧を読み込み直してください。')
    : toEarlierActorProblem(last?.username, verdict);
}

function toMark(hash: string | null): string {
  return hash?.slice(0, MARK_LENGTH) ?? '';
}
