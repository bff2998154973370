import { useState } from 'react';
import type { ListedAnnouncement } from '../../../../contract/operator/announcements.ts';
import { ANNOUNCEMENTS_SHOWN_MAX } from '../../../../contract/site/site.ts';
import { formatCount } from '../../../lib/format.ts';
import { $announcements, endNow, remove } from './announcements.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import { formatTime } from '../times.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { Loaded } from '../Loaded.tsx';

const STATES = { current: '表示中', planned: '開始前', past: '終了' } as const;
const AUDIENCE_NAMES = { everyone: '全員', members: 'メンバーだけ' } as const;

/** Announcements under the navbar of every page: current, planned and past. */
export function AnnouncementsPanel() {
  const [edited, setEdited] = useState<ListedAnnouncement | 'new' | null>(null);
  return (
    <>
      <Loaded query={$announcements} title="告知の一覧を読み込めませんでした">
        {(list) => <Announcements list={list} onEdit={setEdited} />}
      </Loaded>
      {edited !== null && (
        <AnnouncementForm announcement={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface AnnouncementsProps {
  list: readonly ListedAnnouncement[];
  onEdit: (edited: ListedAnnouncement | 'new') => void;
}

function Announcements({ list, onEdit }: AnnouncementsProps) {
  return (
    <>
      <div className="console-intro">
        <p role="status">
          {formatCount(list.length)}件の告知があります。期間中、すべてのページの上に、新しいものから
          {ANNOUNCEMENTS_SHOWN_MAX}件まで表示します。
        </p>
        <button type="button" className="button button-primary" onClick={() => onEdit('new')}>
          告知を追加
        </button>
      </div>
      {list.length > 0 && (
        <ConsoleTable label="告知の表" columns={['文章', '相手', '期間（日本時間）', '状態', ACTIONS]}>
          {list.map((announcement) => (
            <Row key={announcement.id} announcement={announcement} onEdit={onEdit} />
          ))}
        </ConsoleTable>
      )}
    </>
  );
}

interface RowProps extends Pick<AnnouncementsProps, 'onEdit'> {
  announcement: ListedAnnouncement;
}

function Row({ announcement, onEdit }: RowProps) {
  const { text, link, audience, begins_at, ends_at, state } = announcement;
  return (
    <tr>
      <td>
        <p className="min-w-[12em] font-semibold wrap-anywhere">
          <bdi>{text}</bdi>
        </p>
        {link !== '' && (
          <a
            className="link console-id py-2 wrap-anywhere"
            href={link}
            target="_blank"
            rel="noopener noreferrer"
          >
            {link}
          </a>
        )}
      </td>
      <td className="whitespace-nowrap">{AUDIENCE_NAMES[audience]}</td>
      <td className="tabular">
        <span className="whitespace-nowrap">{formatTime(begins_at)} 〜</span>{' '}
        <span className="whitespace-nowrap">{formatTime(ends_at)}</span>
      </td>
      <td className="whitespace-nowrap">{STATES[state]}</td>
      <td>
        <RowActions
          of={`「${text}」を`}
          actions={[
            { text: '編集', act: () => onEdit(announcement) },
            ...(state === 'current' ? [{ text: '終了…', act: () => endNow(announcement) }] : []),
            { text: '削除…', act: () => remove(announcement) },
          ]}
        />
      </td>
    </tr>
  );
}
