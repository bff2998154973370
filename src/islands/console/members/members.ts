import { computed } from 'nanostores';
import {
  type FoundMember,
  type MemberDecision,
  type ReviewedMember,
  decideOnMember,
  getMember,
  retryMemberMail,
  searchMembers as searchMembersCall,
} from '../../../../contract/operator/members.ts';
import { callApi } from '../../../api/browser.ts';
import { ask } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';
import { staffDetails } from '../../../stores/shared/staff-query.ts';

const PATH = '/operator/members';

/** Only some of the addresses were compared. */
export const $isPartialSearch = memberAtom(false);

/** The found members, of which only the first are listed. */
export const memberSearch = createPaged<FoundMember, string>({
  keepsItems: true,
  idOf: ({ id }) => id,
  async read(search, _, signal) {
    const { results, has_more, is_partial } = await callApi(searchMembersCall, { query: { search }, signal });
    if (!signal.aborted) $isPartialSearch.set(is_partial);
    return { results, next: has_more ? 2 : null };
  },
});
/** What the page's address names; null before it is read. */
export const $memberAddress = memberAtom<{ readonly id: string | null; readonly search: string } | null>(
  null,
);
const $memberId = computed($memberAddress, (address) => address?.id ?? null);
/** The member that the page's address names. */
export const $member = staffDetails('member', $memberId, (id, signal) =>
  callApi(getMember, { params: { id }, signal }),
);
/** While a decision is being sent. */
export const $isDeciding = memberAtom(false);

/** The address of a member's page, from which `search` leads back to the search. */
export function toMemberUrl(id: string, search = ''): string {
  return `${PATH}?${new URLSearchParams({ id, ...(search !== '' && { search }) })}`;
}

/** The address of a search. */
export function toMemberSearchUrl(search: string): string {
  return search === '' ? PATH : `${PATH}?${new URLSearchParams({ search })}`;
}

/** Shows what the page's address names. */
export function openMemberPage(): void {
  const params = new URLSearchParams(location.search);
  memberSearch.close();
  $memberAddress.set({ id: params.get('id') || null, search: params.get('search') ?? '' });
}

/** Finds members, and puts the search into the page's address, so that the way back from a member leads to it. */
export async function searchMembers(search: string): Promise<void> {
  history.replaceState(history.state, '', toMemberSearchUrl(search));
  if (search === '') memberSearch.close();
  else await memberSearch.load(search);
}

/** What each decision does, and what is asked before it; those in `REASONED` have a dialog of their own, for the reason. */
export const MEMBER_DECISION_TEXTS: Readonly<
  Record<MemberDecision, { readonly action: string; readonly effect: string; readonly done: string }>
> = {
  block: {
    action: '制限する',
    effect:
      'アップロード、公開情報の変更、送金ができなくなり、すべての端末からログアウトします。ページとサウンドは公開されたままです。メールは届きません。',
    done: '制限しました',
  },
  unblock: {
    action: '制限を解除する',
    effect: 'アップロード、公開情報の変更、送金がふたたびできるようになります。メールは届きません。',
    done: '制限を解除しました',
  },
  suspend: {
    action: '停止する',
    effect:
      'ページとサウンドがほかの人から見えなくなり、アップロードや送金ができなくなり、すべての端末からログアウトします。理由はメールで伝わります。',
    done: '停止しました',
  },
  unsuspend: {
    action: '停止を解除する',
    effect:
      'ページとサウンドが停止の前のとおりに公開され、メールで伝わります。停止の前からの制限は続きます。',
    done: '停止を解除しました',
  },
  'end-sessions': {
    action: 'すべてログアウトさせる',
    effect: 'すべての端末からログアウトします。続けて使うには、パスワードが必要です。メールは届きません。',
    done: 'すべての端末からログアウトさせました',
  },
  'revoke-quality-check': {
    action: '合格を取り消す',
    effect:
      'もう一度クオリティチェックに合格するまで、アップロードができなくなります。サウンド、報酬、送金の依頼はそのまま残ります。理由はメールとプロフィールで伝わります。',
    done: '合格を取り消しました',
  },
};

/** Decisions that need a reason, which the member reads. */
export const REASONED: readonly MemberDecision[] = ['suspend', 'revoke-quality-check'];

/** Asks, and carries out a decision about the member on the page. Returns whether it was sent. Never throws. */
export async function confirmDecision(member: ReviewedMember, action: MemberDecision): Promise<boolean> {
  const { action: label, effect } = MEMBER_DECISION_TEXTS[action];
  const title = `${member.username} さん：${label}`;
  if (!(await ask({ title, text: effect, action: label }))) return false;
  await decideOn(member.id, action);
  return true;
}

/** Carries out a decision about a member, and reads the member again. Returns whether it was made. Never throws. */
export async function decideOn(id: string, action: MemberDecision, reason = ''): Promise<boolean> {
  if ($isDeciding.get()) return false;
  $isDeciding.set(true);
  const isDone = await attempt(() => callApi(decideOnMember, { params: { id }, body: { action, reason } }), {
    done: MEMBER_DECISION_TEXTS[action].done,
  });
  $isDeciding.set(false);
  $member.revalidate();
  return isDone;
}

/** Sends a mail to the member on the page now that waits for another attempt, and reads the member again. Never throws. */
export async function retryMail(id: string): Promise<void> {
  if ($isDeciding.get()) return;
  $isDeciding.set(true);
  await attempt(() => callApi(retryMemberMail, { params: { id } }), { done: 'メールをもう一度送ります' });
  $isDeciding.set(false);
  $member.revalidate();
}
