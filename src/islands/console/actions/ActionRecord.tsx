import { startTransition, useEffect, useRef, useState } from 'react';
import { useShared } from '../../../lib/use-shared.ts';
import { $actionList, EMPTY_ACTION_LIST, exportActions, searchActions, showOlderActions } from './actions.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { ActionName } from './ActionName.tsx';
import { formatTime } from '../times.ts';

/** Typing is followed after this pause. */
const PAUSE_MS = 300;

/** What the staff did, newest first: searched, and exported as CSV. */
export function ActionRecord() {
  const { state, actions, search, hasMore, error } = useShared($actionList, EMPTY_ACTION_LIST);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Typed before hydration.
    const typed = input.current?.value ?? '';
    if (typed !== '') startTransition(() => setText(typed));
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => void searchActions(text.trim()), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <section aria-label="操作の記録">
      <div className="console-tools">
        <label className="sr-only" htmlFor="action-search">
          記録を検索
        </label>
        <input
          id="action-search"
          className="field"
          type="search"
          placeholder="担当、操作、対象、メモで検索"
          maxLength={100}
          ref={input}
          defaultValue=""
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button
          type="button"
          className="button"
          disabled={actions.length === 0}
          onClick={() => void exportActions()}
        >
          <Icon name="download" className="size-5" />
          CSVをダウンロード
        </button>
      </div>
      <p className="sr-only" role="status">
        {state === 'ready' && `${actions.length}件を表示しています`}
      </p>
      {state === 'failed' && (
        <LoadFailure
          title="記録を読み込めませんでした"
          error={error}
          onRetry={() => void searchActions(search)}
        />
      )}
      {state === 'ready' && actions.length === 0 && (
        <p className="form-note">{search === '' ? '記録はまだありません。' : '見つかりませんでした。'}</p>
      )}
      {actions.length > 0 && (
        <div className="console-scroll" tabIndex={0} role="region" aria-label="記録の表">
          <table className="console-table" aria-busy={state === 'loading' || undefined}>
            <thead>
              <tr>
                <th scope="col">日時</th>
                <th scope="col">担当</th>
                <th scope="col">操作</th>
                <th scope="col">対象</th>
                <th scope="col">メモ</th>
              </tr>
            </thead>
            <tbody>
              {actions.map(({ id, at, staff, action, subject, note }) => (
                <tr key={id}>
                  <td className="tabular whitespace-nowrap">{formatTime(at)}</td>
                  <td>{staff ?? '自動'}</td>
                  <td>
                    <ActionName action={action} />
                  </td>
                  <td className="console-id">{subject}</td>
                  <td>
                    <bdi>{note}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <button
          type="button"
          className="button mt-4"
          aria-busy={state === 'loading' || undefined}
          onClick={() => void showOlderActions()}
        >
          もっと古い記録
        </button>
      )}
    </section>
  );
}
