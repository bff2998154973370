import { startTransition, useEffect, useRef, useState } from 'react';
import { actionRecord, exportActions } from './actions.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ActionName } from './ActionName.tsx';
import { ConsoleTable } from '../ConsoleTable.tsx';
import { Paged } from '../Paged.tsx';
import { formatTime } from '../times.ts';
import { useStore } from '../../ui/use-store.ts';

/** Typing is followed after this pause. */
const PAUSE_MS = 300;

/** What the staff did, newest first: searched, and exported as CSV. */
export function ActionRecord() {
  const { query, items } = useStore(actionRecord.$list);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Typed before hydration.
    const typed = input.current?.value ?? '';
    if (typed !== '') startTransition(() => setText(typed));
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => void actionRecord.load(text.trim()), text === '' ? 0 : PAUSE_MS);
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
          disabled={items.length === 0}
          onClick={() => void exportActions()}
        >
          <Icon name="download" className="size-5" />
          CSVをダウンロード
        </button>
      </div>
      <Paged
        list={actionRecord}
        title="記録を読み込めませんでした"
        empty={query === '' ? '記録はまだありません。' : '見つかりませんでした。'}
        more="もっと古い記録"
      >
        {(actions, isBusy) => (
          <ConsoleTable label="記録の表" columns={['日時', '担当', '操作', '対象', 'メモ']} isBusy={isBusy}>
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
          </ConsoleTable>
        )}
      </Paged>
    </section>
  );
}
