import type { FoundMember, MemberState } from '../../../contract/operator/members.ts';
import type { Member } from '../accounts/members.ts';

type StateRow = Pick<Member, 'is_blocked' | 'suspension_reason' | 'deletion_requested_at'>;
type FoundRow = StateRow &
  Pick<Member, 'id' | 'username' | 'created_at' | 'is_staff' | 'is_verified' | 'status'>;

export function toFoundMember(row: FoundRow): FoundMember {
  const { id, username, created_at, is_staff, is_verified, status } = row;
  return {
    id,
    username,
    created_at,
    state: toState(row),
    is_staff: is_staff === 1,
    quality_check: is_verified === 1 ? 'passed' : status === 'pending' ? 'pending' : 'none',
  };
}

/** A suspended member and one who is being deleted are blocked as well. */
function toState({ is_blocked, suspension_reason, deletion_requested_at }: StateRow): MemberState {
  if (deletion_requested_at !== null) return 'deleting';
  if (suspension_reason !== null) return 'suspended';
  return is_blocked === 1 ? 'blocked' : 'active';
}
