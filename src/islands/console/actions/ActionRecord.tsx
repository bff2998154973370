import { startTransition, useEffect, useRef, useState } from 'react';
import {
  ACTION_KINDS,
  ACTION_KIND_NAMES,
  toRecordTexts,
} from '../../../../contract/operator/action-texts.ts';
import { ACTION_SEARCH_LENGTH_MAX } from '../../../../contract/operator/actions.ts';
import { $unreadAt, type ActionFilter, NO_FILTER, actionRecord, saveActions } from './actions.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ActionName } from './ActionName.tsx';
import { ActionSubject } from './ActionSubject.tsx';
import { ConsoleTable } from '../ConsoleTable.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { formatTime } from '../times.ts';
import { useStore } from '../../ui/use-store.ts';

/** Debounce of typing. */
const PAUSE_MS = 300;

/** What the staff did, newest first: searched, filtered, and exported as CSV. */
export function ActionRecord() {
  const { items, pending } = useStore(actionRecord.$list);
  const unreadAt = useStore($unreadAt);
  const [filter, setFilter] = useState(NO_FILTER);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Typed before hydration.
    const typed = readFilter(form.current);
    if (isSet(typed)) startTransition(() => setFilter(typed));
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => void actionRecord.load(filter), isSet(filter) ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [filter]);
  return (
    <section aria-label="操作の記録">
      <form
        ref={form}
        className="console-tools"
        onChange={() => setFilter(readFilter(form.current))}
        onSubmit={(event) => event.preventDefault()}
      >
        <label className="console-field">
          記録を検索
          <input
            className="field"
            type="search"
            name="search"
            placeholder="操作、対象、メモ"
            maxLength={ACTION_SEARCH_LENGTH_MAX}
          />
        </label>
        <label className="console-field">
          種類
          <select className="field" name="kind">
            <option value="">すべて</option>
            {ACTION_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {ACTION_KIND_NAMES[kind]}
              </option>
            ))}
          </select>
        </label>
        <label className="console-field">
          担当者のユーザー名
          <input
            className="field"
            type="search"
            name="staff"
            autoComplete="off"
            maxLength={ACTION_SEARCH_LENGTH_MAX}
          />
        </label>
        <label className="console-field">
          この日から
          <input className="field" type="date" name="from" max="2100-12-31" />
        </label>
        <label className="console-field">
          この日まで
          <input className="field" type="date" name="to" max="2100-12-31" />
        </label>
        <button
          type="button"
          className="button self-end"
          disabled={items.length === 0}
          onClick={() => void saveActions()}
        >
          <Icon name="download" className="size-5" />
          CSVをダウンロード
        </button>
      </form>
      <Paged
        list={actionRecord}
        title="記録を読み込めませんでした"
        empty={toEmptyText(filter, unreadAt)}
        more="もっと古い記録"
      >
        {(actions, isBusy) => (
          <ConsoleTable label="記録の表" columns={['日時', '担当', '操作', '対象', 'メモ']} isBusy={isBusy}>
            {actions.map((action) => (
              <tr key={action.id}>
                <td className="tabular whitespace-nowrap">{formatTime(action.at)}</td>
                <td className="whitespace-nowrap">
                  <bdi>{action.staff ?? '自動'}</bdi>
                </td>
                <td>
                  <ActionName action={action.action} />
                </td>
                <td>
                  <ActionSubject action={action} />
                </td>
                <td>
                  <bdi>{toRecordTexts(action).note}</bdi>
                </td>
              </tr>
            ))}
          </ConsoleTable>
        )}
      </Paged>
      {unreadAt !== null && pending === null && items.length > 0 && (
        <p className="form-note mt-4">{formatTime(unreadAt)} 以前の記録は、まだ検索していません。</p>
      )}
    </section>
  );
}

function readFilter(form: HTMLFormElement | null): ActionFilter {
  const given = new FormData(form ?? undefined);
  const read = (name: keyof ActionFilter) => String(given.get(name) ?? '').trim();
  return {
    search: read('search'),
    kind: ACTION_KINDS.find((kind) => kind === read('kind')) ?? '',
    staff: read('staff'),
    from: read('from'),
    to: read('to'),
  };
}

/** `unreadAt`: the time of the newest action that was not looked at, null for none. */
function toEmptyText(filter: ActionFilter, unreadAt: number | null): string {
  if (unreadAt !== null) return `${formatTime(unreadAt)} より後の記録には、見つかりませんでした。`;
  return isSet(filter) ? '見つかりませんでした。' : '記録はまだありません。';
}

function isSet(filter: ActionFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}
