import { useEffect, useState } from 'react';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { ChangeWay, SoundHistoryEntry } from '../../../contract/sounds/sound-changes.ts';
import {
  $genres,
  $history,
  canUndoEntry,
  forgetHistory,
  readHistory,
  undoEntry,
} from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { ROW_NAMES, toValueText } from './row-texts.ts';
import { useStore } from '../ui/use-store.ts';

const NAMES: Readonly<Record<string, string>> = { ...ROW_NAMES, thumbnail: 'サムネイル' };
const WAYS: Readonly<Record<ChangeWay, string>> = {
  edit: 'サウンドの編集',
  several: '複数のサウンドの編集',
  undo: 'メールのリンクからの取り消し',
};

const NONE = '（なし）';

/** The changes of a sound in the last seven days, loaded when opened; each can be undone. */
export function SoundHistory({ editing }: { editing: SoundEditing }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="sound-history" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>変更の記録（7日間）</summary>
      {isOpen && <Entries editing={editing} />}
    </details>
  );
}

function Entries({ editing }: { editing: SoundEditing }) {
  const { sound } = editing;
  const history = useStore($history);
  useEffect(() => void readHistory(sound), [sound]);
  useEffect(() => forgetHistory, []);
  if (history.state === 'loading') return <p role="status">読み込んでいます…</p>;
  if (history.state === 'failed') {
    return (
      <div role="alert" className="grid justify-items-start gap-2">
        {history.problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
        <button type="button" className="button" onClick={() => void readHistory(sound)}>
          もう一度読み込む
        </button>
      </div>
    );
  }
  if (history.entries.length === 0) return <p>この7日間に、変更はありません。</p>;
  return (
    <ol className="sound-history-entries">
      {history.entries.map((entry) => (
        <Entry key={entry.id} entry={entry} canUndo={canUndoEntry(editing, entry)} />
      ))}
    </ol>
  );
}

function Entry({ entry, canUndo }: { entry: SoundHistoryEntry; canUndo: boolean }) {
  const genres = useStore($genres).data ?? [];
  const when = formatDateTime(Date.parse(entry.changed_at));
  const toText = (name: string, values: readonly string[]) =>
    values.map((value) => toValueText(name, value, genres)).join('、') || NONE;
  return (
    <li>
      <p className="text-[0.875rem] text-muted">
        {when}・{WAYS[entry.way as ChangeWay] ?? entry.way}
      </p>
      <dl>
        {entry.fields.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{NAMES[name] ?? name}</dt>
            <dd>
              {name === 'thumbnail' ? (
                '画像を変更'
              ) : (
                <>
                  {before.length > 0 ? <del>{toText(name, before)}</del> : NONE}
                  <span aria-hidden="true"> → </span>
                  <ins>{toText(name, after)}</ins>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {entry.can_undo && (
        <button
          type="button"
          className="button"
          aria-label={`${when}の変更を元に戻す`}
          aria-disabled={!canUndo || undefined}
          onClick={() => void undoEntry(entry)}
        >
          元に戻す
        </button>
      )}
    </li>
  );
}
