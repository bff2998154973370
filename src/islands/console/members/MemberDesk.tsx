import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { ApiError } from '../../../../contract/errors.ts';
import { useShared } from '../../../lib/use-shared.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
import {
  $memberPage,
  $memberSearch,
  type MemberPage,
  openMember,
  openMemberPage,
  toMemberSearchUrl,
} from './members.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { MemberSearch } from './MemberSearch.tsx';
import { MemberView } from './MemberView.tsx';

const UNKNOWN: MemberPage = { view: 'unknown' };

/** Members: a search, or the member that the page's address names. */
export function MemberDesk() {
  const page = useShared($memberPage, UNKNOWN);
  useEffect(followPasswordPrompt, []);
  useEffect(openMemberPage, []);
  if (page.view === 'search') return <MemberSearch />;
  return (
    <>
      {page.view !== 'unknown' && <WayBack />}
      {page.view === 'member' && <MemberView member={page.member} />}
      {page.view === 'failed' && (
        <LoadFailure
          title={toTitle(page.error)}
          error={page.error}
          onRetry={() => void openMember(page.id)}
        />
      )}
      {(page.view === 'unknown' || page.view === 'loading') && <p role="status">読み込んでいます…</p>}
    </>
  );
}

function WayBack() {
  const { search } = useStore($memberSearch);
  return (
    <p className="mb-4">
      <a className="link" href={toMemberSearchUrl(search)}>
        検索に戻る
      </a>
    </p>
  );
}

function toTitle(error: unknown): string {
  return error instanceof ApiError && error.kind === 'cancelled'
    ? 'メンバーの情報を見るには、パスワードの確認が必要です'
    : 'メンバーを表示できませんでした';
}
