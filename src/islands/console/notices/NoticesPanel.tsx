import { useEffect } from 'react';
import type { ListedNotice, NoticeListing } from '../../../../contract/operator/notices.ts';
import { formatCount } from '../../../lib/format.ts';
import { guardUnsaved } from '../../../browser/unsaved.ts';
import {
  $noticeEditor,
  $noticePreview,
  $notices,
  editNotice,
  isNoticeUnsaved,
  moveNotice,
  removeNotice,
  showNotice,
  startNotice,
} from './notices.ts';
import { NoticeOverlay } from '../../download/NoticeOverlay.tsx';
import { NoticeForm } from './NoticeForm.tsx';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { Loaded } from '../Loaded.tsx';
import { useStore } from '../../ui/use-store.ts';

const STATES = { shown: '表示中', waiting: '開始前', ended: '終了' } as const;

/** The notices before downloads: their list, or the form of one. */
export function NoticesPanel() {
  const editor = useStore($noticeEditor);
  const watch = useStore($noticePreview);
  useEffect(() => guardUnsaved(isNoticeUnsaved), []);
  return (
    <>
      {editor.state === 'open' ? (
        <NoticeForm editor={editor} />
      ) : (
        <Loaded query={$notices} title="広告の一覧を読み込めませんでした">
          {(listing) => <NoticesList listing={listing} />}
        </Loaded>
      )}
      {watch && <NoticeOverlay watch={watch} />}
    </>
  );
}

function NoticesList({ listing }: { listing: NoticeListing }) {
  return (
    <>
      <Warnings listing={listing} />
      <div className="console-intro">
        <p role="status">
          {formatCount(listing.results.length)}
          件の広告があります。表示中のものから、毎回1つが選ばれます。
        </p>
        <button type="button" className="button button-primary" onClick={startNotice}>
          広告を追加
        </button>
      </div>
      {listing.results.length > 0 && (
        <ConsoleTable
          label="広告の表"
          columns={['広告', '内容', { number: '秒数' }, '期間（日本時間）', '状態', ACTIONS]}
        >
          {listing.results.map((listed, index) => (
            <NoticeRow key={listed.notice.id} listed={listed} index={index} listing={listing} />
          ))}
        </ConsoleTable>
      )}
    </>
  );
}

function Warnings({ listing: { is_used } }: { listing: NoticeListing }) {
  if (is_used) return null;
  return (
    <div className="panel console-problems mb-4">
      <p>
        設定（<code>AD_PROVIDERS</code>）に <code>house</code> がないため、広告は表示されません。
      </p>
    </div>
  );
}

interface NoticeRowProps {
  listed: ListedNotice;
  index: number;
  listing: NoticeListing;
}

function NoticeRow({ listed, index, listing: { version, results } }: NoticeRowProps) {
  const { notice, state, from, until } = listed;
  const name = notice.text;
  const move = (to: number) => moveNotice(version, index, to);
  return (
    <tr>
      <td>
        <Thumbnail notice={notice} />
      </td>
      <td>
        <p className="min-w-[12em] font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        {notice.link && (
          <a className="link console-id py-2" href={notice.link} target="_blank" rel="noopener noreferrer">
            {notice.link}
          </a>
        )}
      </td>
      <td className="console-number tabular">{notice.seconds}</td>
      <td className="tabular whitespace-nowrap">{toPeriod(from, until)}</td>
      <td className="whitespace-nowrap">{STATES[state]}</td>
      <td>
        <RowActions
          of={`「${name}」を`}
          actions={[
            { text: 'プレビュー', act: () => showNotice(notice) },
            { text: '編集', act: () => editNotice(listed) },
            { text: '↑', label: '上へ', isOff: index === 0, act: () => move(index - 1) },
            { text: '↓', label: '下へ', isOff: index === results.length - 1, act: () => move(index + 1) },
            { text: '削除…', act: () => removeNotice(version, index, listed) },
          ]}
        />
      </td>
    </tr>
  );
}

/** Decorative: the row has the text alternative. */
function Thumbnail({ notice: { kind, url } }: { notice: ListedNotice['notice'] }) {
  return kind === 'picture' ? (
    <img className="console-thumbnail" src={url} alt="" loading="lazy" />
  ) : (
    <video className="console-thumbnail" src={url} muted playsInline preload="metadata" aria-hidden="true" />
  );
}

function toPeriod(from: string, until: string): string {
  if (from === '' && until === '') return 'いつも';
  const show = (time: string) => time.replaceAll('-', '/').replace('T', ' ');
  return `${show(from)} 〜 ${show(until)}`.trim();
}
