import type { FoundMember, MemberState } from '../../../../contract/operator/members.ts';
import { Icon } from '../../ui/Icon.tsx';

const STATES: Readonly<Record<Exclude<MemberState, 'active'>, string>> = {
  blocked: '制限中',
  suspended: '停止中',
  deleting: '削除の手続き中',
};

/** What is special about a member; nothing for most. */
export function MemberTags({ member: { state, is_staff } }: { member: FoundMember }) {
  if (state === 'active' && !is_staff) return null;
  return (
    <span className="inline-flex flex-wrap gap-2">
      {state !== 'active' && (
        <span className="member-tag is-closed">
          <Icon name="warning" className="size-4 flex-none" />
          {STATES[state]}
        </span>
      )}
      {is_staff && <span className="member-tag">運営者</span>}
    </span>
  );
}
