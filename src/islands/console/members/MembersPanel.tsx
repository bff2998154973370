import { useEffect } from 'react';
import { ApiError } from '../../../../contract/calls/errors.ts';
import { Loaded } from '../Loaded.tsx';
import { MemberSearch } from './MemberSearch.tsx';
import { MemberView } from './MemberView.tsx';
import { $member, $memberAddress, openMemberPage, toMemberSearchUrl } from './members.ts';
import { useStore } from '../../ui/use-store.ts';

/** Members: a search, or the member that the page's address names. */
export function MembersPanel() {
  const address = useStore($memberAddress);
  useEffect(openMemberPage, []);
  if (address?.id === null) return <MemberSearch first={address.search} />;
  return (
    <>
      {address !== null && (
        <p className="mb-4">
          <a className="link py-3" href={toMemberSearchUrl(address.search)}>
            検索に戻る
          </a>
        </p>
      )}
      <Loaded query={$member} title={toTitle}>
        {(member) => <MemberView member={member} />}
      </Loaded>
    </>
  );
}

function toTitle(error: unknown): string {
  return error instanceof ApiError && error.kind === 'cancelled'
    ? 'メンバーの情報を見るには、パスワードの確認が必要です'
    : 'メンバーを表示できませんでした';
}
