import {
  decideOnMember,
  getMember,
  retryMemberMail,
  searchMembers,
} from '../../../contract/operator/members.ts';
import type { MemberDecision, MemberSession, ReviewedMember } from '../../../contract/operator/members.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { countSounds, endSessionsAsStaff, findMember, setBlocked } from '../accounts/members.ts';
import { listSessions } from '../accounts/queries.ts';
import { readFigures } from '../ledger/figures.ts';
import { selectMemberPayouts } from '../ledger/queries.ts';
import { retryMails } from '../mail/staff.ts';
import { selectMailsTo } from '../mail/queries.ts';
import { revokeQualityCheck } from '../reviews/quality-check/revocation.ts';
import { decideOrNameActor } from '../staff/actions.ts';
import type { EarlierActions } from '../staff/actions.ts';
import { suspendMember, unsuspendMember } from '../takedowns/suspensions.ts';
import { listActionsAbout } from './actions.ts';
import { findMembers } from './member-search.ts';
import { toFoundMember } from './member-state.ts';
import { DECIDING_RECENTLY, READING, READING_RECENTLY } from '../staff/rules.ts';

const PAYOUTS_SHOWN = 10;

type MemberDeps = Platform & {
  /** REWARD_PENDING_DAYS. */
  readonly rewardPendingDays: number;
};

export const MEMBER_ROUTES: readonly Route<MemberDeps>[] = [
  route(searchMembers, READING, ({ query: { search = '' } }, { database }) => findMembers(database, search)),

  route(getMember, READING_RECENTLY, ({ params: { id }, caller }, deps) => openMember(deps, id, caller.id)),

  route(decideOnMember, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => {
    await decide(deps, id, caller.id, body);
    return { action: body.action };
  }),

  route(retryMemberMail, DECIDING_RECENTLY, async ({ params: { id }, caller }, deps) => {
    await retryMails(deps, caller.id, id);
    return { detail: 'メールをもう一度送ります。' };
  }),
];

/** A member with everything that a decision of a staff account needs. Throws `Problem` 404. */
async function openMember(deps: MemberDeps, id: string, staffId: string): Promise<ReviewedMember> {
  const { database, clock, rewardPendingDays } = deps;
  const { db } = database;
  const row = await findMember(db, id);
  if (row === undefined) throw notFound();
  const { reward_balance: payable, pending_reward: pending } = await readFigures(
    db,
    id,
    clock.now(),
    undefined,
    rewardPendingDays,
  );
  const member = toFoundMember(row);
  const sessions = await listSessions(db, id, clock.now());
  return {
    ...member,
    email: row.email,
    name: row.name,
    furigana: row.furigana,
    personal_info: row.personal_info_status || 'none',
    suspension_reason: row.suspension_reason,
    deletion_requested_at: row.deletion_requested_at,
    sounds: Number((await countSounds(database, id)).sounds),
    reward: { payable, pending },
    payouts: await selectMemberPayouts(db, id, { limit: PAYOUTS_SHOWN }),
    mails: await selectMailsTo(db, row.email),
    sessions,
    actions: await listActionsAbout(db, id),
    allowed: id === staffId ? [] : listAllowed(member, sessions),
  };
}

/** The actions on a member who is not the caller. The services decide. */
function listAllowed(
  { state, quality_check }: Pick<ReviewedMember, 'state' | 'quality_check'>,
  sessions: readonly MemberSession[],
): MemberDecision[] {
  if (state === 'deleting') return [];
  const decisions = {
    active: ['block', 'suspend'],
    blocked: ['unblock', 'suspend'],
    suspended: ['unsuspend'],
  } as const;
  return [
    ...decisions[state],
    ...(quality_check === 'passed' ? (['revoke-quality-check'] as const) : []),
    ...(sessions.length > 0 ? (['end-sessions'] as const) : []),
  ];
}

/** The actions on record that can have come before each decision. */
const EARLIER: Readonly<Record<MemberDecision, EarlierActions>> = {
  block: { 'block member': '制限しています', 'suspend member': '停止しています' },
  unblock: { 'unblock member': '制限を解除しています', 'suspend member': '停止しています' },
  suspend: { 'suspend member': '停止しています' },
  unsuspend: { 'unsuspend member': '停止を解除しています' },
  'end-sessions': {
    'end sessions': 'ログアウトさせています',
    'block member': '制限しています',
    'suspend member': '停止しています',
  },
  'revoke-quality-check': { 'revoke quality check': '合格を取り消しています' },
};

/**
 * Carries out a decision about a member. Throws `Problem` 400 for a decision without the reason that it needs, 403 for
 * the caller's own account, 404, and 409 that names who decided first.
 */
async function decide(
  deps: MemberDeps,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: MemberDecision; readonly reason: string },
): Promise<void> {
  const decisions: Readonly<Record<MemberDecision, () => Promise<boolean | void>>> = {
    block: () => setBlocked(deps, id, staffId, 1),
    unblock: () => setBlocked(deps, id, staffId, 0),
    suspend: () => suspendMember(deps, id, staffId, reason),
    unsuspend: () => unsuspendMember(deps, id, staffId),
    'end-sessions': () => endSessionsAsStaff(deps, id, staffId),
    'revoke-quality-check': () => revokeQualityCheck(deps, id, staffId, reason),
  };
  await decideOrNameActor(deps.database.db, id, EARLIER[action], async () => {
    if ((await decisions[action]()) === false) throw new Problem(409, 'ほかの操作で、すでに変わっています。');
  });
}
