import { useEffect, useState } from 'react';
import {
  DOMAIN_ADDRESSES_MAX,
  MEMBERS_FOUND_MAX,
  MEMBER_SEARCH_LENGTH_MAX,
} from '../../../../contract/operator/members.ts';
import { $isPartialSearch, memberSearch, searchMembers, toMemberUrl } from './members.ts';
import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { Paged } from '../../ui/Paged.tsx';
import { MemberTags } from './MemberTags.tsx';
import { formatCount } from '../../../lib/format.ts';
import { formatTime } from '../times.ts';
import { useStore } from '../../ui/use-store.ts';

/** Debounce of typing. */
const PAUSE_MS = 300;

/** Finds members by what is typed, at first by the page's address. */
export function MemberSearch({ first }: { first: string }) {
  const { query, hasMore, pending } = useStore(memberSearch.$list);
  const isPartial = useStore($isPartialSearch);
  const [text, setText] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => void searchMembers(text.trim()), text === first ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, first]);
  return (
    <search>
      <label className="mb-1 block text-sm" htmlFor="member-search">
        メンバーを検索
      </label>
      <input
        id="member-search"
        className="field w-full"
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={MEMBER_SEARCH_LENGTH_MAX}
        aria-describedby="member-search-hint"
        ref={focusOnMount}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p id="member-search-hint" className="form-hint mt-2">
        ユーザー名かメールアドレスの先頭、氏名かふりがなの全体、またはIDで検索できます。「@example.jp」でそのドメインのアドレス、「tanaka
        @example.jp」でそのうち @ の前に tanaka を含むものを探せます。
      </p>
      {query !== null && (
        <Paged
          list={memberSearch}
          title="検索できませんでした"
          empty={<p className="form-note mt-4">見つかりませんでした。</p>}
        >
          {(members, isBusy) => (
            <ul className="member-list" aria-busy={isBusy || undefined}>
              {members.map((member) => (
                <li key={member.id}>
                  <a className="member-row" href={toMemberUrl(member.id, query)}>
                    <bdi className="font-semibold wrap-anywhere">{member.username}</bdi>
                    <MemberTags member={member} />
                    <span className="tabular text-sm text-muted">{formatTime(member.created_at)} 登録</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Paged>
      )}
      {isPartial && pending === null && (
        <p className="form-note mt-4">
          このドメインのアドレスが多いため、はじめの{formatCount(DOMAIN_ADDRESSES_MAX)}件から探しました。
        </p>
      )}
      {hasMore && (
        <p className="form-note mt-4">
          はじめの{MEMBERS_FOUND_MAX}人を表示しています。続きを入力して、絞り込んでください。
        </p>
      )}
    </search>
  );
}
