import {
  type FoundMember,
  type MemberDecision,
  type ReviewedMember,
  decideOnMember,
  getMember,
  searchMembers as searchMembersCall,
} from '../../../../contract/operator/members.ts';
import { callApi } from '../../../api/browser.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { load } from '../../../stores/shared/load.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { presentError } from '../../../stores/shared/request-errors.ts';

const PATH = '/operator/members';

export interface MemberSearch {
  readonly state: 'empty' | 'loading' | 'ready' | 'failed';
  readonly search: string;
  readonly members: readonly FoundMember[];
  /** Whether more members were found than are shown. */
  readonly hasMore: boolean;
  readonly error: unknown;
}

export type MemberPage =
  | { readonly view: 'unknown' | 'search' }
  | { readonly view: 'loading'; readonly id: string }
  | { readonly view: 'failed'; readonly id: string; readonly error: unknown }
  | { readonly view: 'member'; readonly id: string; readonly member: ReviewedMember };

const NOTHING: MemberSearch = { state: 'empty', search: '', members: [], hasMore: false, error: null };

export const $memberSearch = memberAtom<MemberSearch>(NOTHING);
/** What the page shows: the search, or the member that its address names. */
export const $memberPage = memberAtom<MemberPage>({ view: 'unknown' });
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
  const id = params.get('id') ?? '';
  $memberSearch.set({ ...NOTHING, search: params.get('search') ?? '' });
  if (id === '') $memberPage.set({ view: 'search' });
  else void openMember(id);
}

/** Finds members, and puts the search into the page's address, so that the way back from a member leads to it. */
export async function searchMembers(search: string): Promise<void> {
  history.replaceState(history.state, '', toMemberSearchUrl(search));
  if (search === '') return $memberSearch.set(NOTHING);
  await load(
    $memberSearch,
    { ...$memberSearch.get(), state: 'loading', search },
    async (signal) => {
      const { results, has_more: hasMore } = await callApi(searchMembersCall, { query: { search }, signal });
      return { state: 'ready', search, members: results, hasMore, error: null };
    },
    (error) => ({ ...NOTHING, state: 'failed', search, error }),
  );
}

/** Loads a member. What is shown of the same member stays until then. */
export async function openMember(id: string): Promise<void> {
  const page = $memberPage.get();
  await load<MemberPage>(
    $memberPage,
    page.view === 'member' && page.id === id ? page : { view: 'loading', id },
    async (signal) => ({
      view: 'member',
      id,
      member: await callApi(getMember, { params: { id }, signal }),
    }),
    (error) => ({ view: 'failed', id, error }),
  );
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

/** Carries out a decision about a member, and reads the member again if it is still shown. Returns whether it was made. Never throws. */
export async function decideOn(id: string, action: MemberDecision, reason = ''): Promise<boolean> {
  if ($isDeciding.get()) return false;
  $isDeciding.set(true);
  try {
    await callApi(decideOnMember, { params: { id }, body: { action, reason } });
    showToast('success', MEMBER_DECISION_TEXTS[action].done);
    return true;
  } catch (error) {
    presentError(error, { toasts: 'each' });
    return false;
  } finally {
    const page = $memberPage.get();
    if ('id' in page && page.id === id) await openMember(id);
    $isDeciding.set(false);
  }
}
