import { useEffect } from 'react';
import type { ListedNotice, NoticeListing } from '../../../../contract/operator/notices.ts';
import { formatCount } from '../../../lib/format.ts';
import { guardUnsaved } from '../../../lib/unsaved.ts';
import { useShared } from '../../../lib/use-shared.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
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
import { Loaded } from '../Loaded.tsx';

const STATES = { shown: '表示中', waiting: '開始前', ended: '終了' } as const;

/** The notices before downloads: their list, or the form of one. */
export function NoticesPanel() {
  const editor = useShared($noticeEditor, { state: 'closed' });
  const watch = useShared($noticePreview, null);
  useEffect(followPasswordPrompt, []);
  useEffect(() => guardUnsaved(isNoticeUnsaved), []);
  return (
    <>
      {editor.state === 'open' ? (
        <NoticeForm editor={editor} />
      ) : (
        <Loaded query={$notices} title="お知らせの一覧を読み込めませんでした">
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
          件のお知らせがあります。表示中のものから、毎回1つが選ばれます。
        </p>
        <button type="button" className="button button-primary" onClick={startNotice}>
          お知らせを追加
        </button>
      </div>
      {listing.results.length > 0 && (
        <div className="console-scroll" tabIndex={0} role="region" aria-label="お知らせの表">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">お知らせ</th>
                <th scope="col">内容</th>
                <th scope="col" className="console-number">
                  秒数
                </th>
                <th scope="col">期間（日本時間）</th>
                <th scope="col">状態</th>
                <th scope="col">
                  <span className="sr-only">操作</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {listing.results.map((listed, index) => (
                <NoticeRow key={listed.notice.id} listed={listed} index={index} listing={listing} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Warnings({ listing: { is_used } }: { listing: NoticeListing }) {
  if (is_used) return null;
  return (
    <div className="console-problems mb-4">
      <p>
        設定（<code>AD_PROVIDERS</code>）に <code>house</code> がないため、お知らせは表示されません。
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
  return (
    <tr>
      <td>
        <Thumbnail notice={notice} />
      </td>
      <td>
        <p className="console-notice-text">
          <bdi>{name}</bdi>
        </p>
        {notice.link && (
          <a className="link console-id" href={notice.link} target="_blank" rel="noopener noreferrer">
            {notice.link}
          </a>
        )}
      </td>
      <td className="console-number tabular">{notice.seconds}</td>
      <td className="tabular whitespace-nowrap">{toPeriod(from, until)}</td>
      <td className="whitespace-nowrap">{STATES[state]}</td>
      <td>
        <div className="console-row-actions">
          <button
            type="button"
            className="button"
            aria-label={`「${name}」をプレビュー`}
            onClick={() => void showNotice(notice)}
          >
            プレビュー
          </button>
          <button
            type="button"
            className="button"
            aria-label={`「${name}」を編集`}
            onClick={() => editNotice(version, index, listed)}
          >
            編集
          </button>
          <button
            type="button"
            className="button"
            aria-label={`「${name}」を上へ`}
            disabled={index === 0}
            onClick={() => void moveNotice(version, index, index - 1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="button"
            aria-label={`「${name}」を下へ`}
            disabled={index === results.length - 1}
            onClick={() => void moveNotice(version, index, index + 1)}
          >
            ↓
          </button>
          <button
            type="button"
            className="button"
            aria-label={`「${name}」を削除…`}
            onClick={() => void removeNotice(version, index, listed)}
          >
            削除…
          </button>
        </div>
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
