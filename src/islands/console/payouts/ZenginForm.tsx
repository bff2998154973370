import { type FormEvent, useState } from 'react';
import { formatCount, formatYen } from '../../../lib/format.ts';
import { $zenginMissing, $zenginResult, saveZenginFile } from './zengin.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Saves the chosen requests as a file for the bank, and says which of them are not in it. */
export function ZenginForm({ ids }: { ids: readonly string[] }) {
  const { data: missing } = useStore($zenginMissing);
  const result = useStore($zenginResult);
  const [date, setDate] = useState('');
  const [isSaving, setSaving] = useState(false);
  if (missing === undefined) return null;
  if (missing.length > 0) {
    return (
      <p className="form-note mt-4">
        全銀形式の振込ファイルを作るには、次の設定が必要です：<code>{missing.join('、')}</code>
      </p>
    );
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    await saveZenginFile(ids, date);
    setSaving(false);
  };
  return (
    <section className="mt-6 grid gap-3" aria-labelledby="zengin-title">
      <h2 id="zengin-title" className="text-lg">
        全銀形式の振込ファイル
      </h2>
      <form className="flex flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
        <label className="grid gap-1 text-sm" htmlFor="zengin-date">
          振込日（銀行の営業日）
          <input
            id="zengin-date"
            className="field tabular"
            type="date"
            required
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        </label>
        <button
          className="button"
          disabled={ids.length === 0 || date === '' || isSaving}
          aria-busy={isSaving || undefined}
        >
          <Icon name="download" className="size-5" />
          ファイルを保存
        </button>
      </form>
      <div role="status">
        {result && (
          <p className="tabular">
            ファイルの合計：{formatCount(result.count)}件 ・ <strong>{formatYen(result.total)}</strong>
          </p>
        )}
      </div>
      {result && result.leftOut.length > 0 && (
        <>
          <p className="flex items-center gap-1 text-danger">
            <Icon name="warning" className="size-4 flex-none" />
            次の依頼はファイルに入っていません。口座を確かめて、銀行で直接振り込んでください。
          </p>
          <ul className="grid gap-1 text-sm">
            {result.leftOut.map(({ id, username, reason }) => (
              <li key={id}>
                <bdi>{username}</bdi>：{reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
