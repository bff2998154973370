import { useEffect } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { guardUnsaved } from '../../../browser/unsaved.ts';
import {
  $pageEditor,
  $pages,
  type PagesList,
  isPageUnsaved,
  openPage,
  removePage,
  startPage,
  toPath,
  OWN_ADDRESSES,
} from './pages.ts';
import { PageEditor } from './PageEditor.tsx';
import { formatTime } from '../times.ts';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { Loaded } from '../Loaded.tsx';
import { useStore } from '../../ui/use-store.ts';

/** The pages that the operator writes: their list, or the editor of one. */
export function PagesPanel() {
  const editor = useStore($pageEditor);
  useEffect(() => guardUnsaved(isPageUnsaved), []);
  if (editor.state === 'opening') return <p role="status">読み込んでいます…</p>;
  if (editor.state === 'open') return <PageEditor editor={editor} />;
  return (
    <Loaded query={$pages} title="ページの一覧を読み込めませんでした">
      {(list) => <Pages list={list} />}
    </Loaded>
  );
}

function Pages({ list: { pages, defaults } }: { list: PagesList }) {
  return (
    <>
      <div className="console-intro">
        <p role="status">
          {formatCount(pages.length)}件のページがあります。並び順の小さいものから、フッターに並びます。
        </p>
        <button type="button" className="button button-primary" onClick={() => void startPage()}>
          ページを作る
        </button>
      </div>
      <ConsoleTable
        label="ページの表"
        columns={['タイトル', 'URL', { number: '並び順' }, 'フッター', '更新', ACTIONS]}
      >
        {pages.map((page) => (
          <tr key={page.slug}>
            <td className="font-semibold">
              <bdi>{page.title}</bdi>
            </td>
            <td>
              <PageLink slug={page.slug} />
            </td>
            <td className="console-number tabular">{page.order}</td>
            <td className="whitespace-nowrap">
              {OWN_ADDRESSES.has(page.slug) ? 'いつも表示' : page.is_listed ? '表示' : '表示しない'}
            </td>
            <td className="tabular whitespace-nowrap">{formatTime(page.updated_at)}</td>
            <td>
              <RowActions
                of={`「${page.title}」を`}
                actions={[
                  { text: '編集', act: () => openPage(page.slug) },
                  { text: '削除…', act: () => removePage(page) },
                ]}
              />
            </td>
          </tr>
        ))}
        {defaults.map(({ slug, title }) => (
          <tr key={slug}>
            <td>{title}</td>
            <td>
              <PageLink slug={slug} />
            </td>
            <td colSpan={3} className="text-muted">
              既定の文章を表示しています
            </td>
            <td>
              <RowActions
                of={`「${title}」の文章を`}
                actions={[{ text: '書き換える', act: () => startPage(slug) }]}
              />
            </td>
          </tr>
        ))}
      </ConsoleTable>
    </>
  );
}

function PageLink({ slug }: { slug: string }) {
  return (
    <a className="link console-id py-2" href={toPath(slug)}>
      {toPath(slug)}
    </a>
  );
}
