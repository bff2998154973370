import { useState } from 'react';
import type { GenreKind, ListedGenre } from '../../../../contract/operator/genres.ts';
import { formatCount } from '../../../lib/format.ts';
import { $labels, type LabelDraft, removeLabel } from './labels.ts';
import { LabelForm } from './LabelForm.tsx';
import { ACTIONS, ConsoleTable, RowActions } from '../ConsoleTable.tsx';
import { Loaded } from '../Loaded.tsx';

/** Types, genres and sub-genres, with the number of sounds that use each. */
export function LabelsPanel() {
  const [draft, setDraft] = useState<LabelDraft | null>(null);
  return (
    <>
      <Loaded query={$labels} title="ジャンルを読み込めませんでした">
        {({ types, genres }) => (
          <div className="grid grid-cols-1 gap-8">
            <LabelTable title="種類" kind="type" labels={types} onEdit={setDraft} />
            <LabelTable title="ジャンル" kind="genre" labels={genres} onEdit={setDraft} />
            {genres.map(({ id, name, sub_genres }) => (
              <LabelTable
                key={id}
                title={`「${name}」のサブジャンル`}
                kind="sub-genre"
                genreId={id}
                labels={sub_genres}
                onEdit={setDraft}
              />
            ))}
          </div>
        )}
      </Loaded>
      {draft && <LabelForm draft={draft} onClose={() => setDraft(null)} />}
    </>
  );
}

interface LabelTableProps {
  title: string;
  kind: GenreKind;
  labels: readonly (ListedGenre & { readonly icon?: string })[];
  /** Of sub-genres. */
  genreId?: number;
  onEdit: (draft: LabelDraft) => void;
}

function LabelTable({ title, kind, genreId, labels, onEdit }: LabelTableProps) {
  const add = { id: null, kind, genreId: genreId ?? null, name: '', icon: '', order: '' };
  return (
    <section aria-label={title}>
      <div className="console-intro">
        <h2 className="flex-1 text-lg">{title}</h2>
        <button type="button" className="button" aria-label={`${title}に追加`} onClick={() => onEdit(add)}>
          追加
        </button>
      </div>
      {labels.length === 0 && <p className="form-note">まだありません。</p>}
      {labels.length > 0 && (
        <ConsoleTable
          label={`${title}の表`}
          columns={[
            '名前',
            ...(kind === 'type' ? ['アイコン'] : []),
            { number: '並び順' },
            { number: 'サウンド' },
            ACTIONS,
          ]}
        >
          {labels.map(({ id, name, icon = '', order, sounds }) => (
            <tr key={id}>
              <td className="font-semibold">
                <bdi>{name}</bdi>
              </td>
              {kind === 'type' && <td>{icon}</td>}
              <td className="console-number tabular">{order}</td>
              <td className="console-number tabular">{formatCount(sounds)}件</td>
              <td>
                <RowActions
                  of={`「${name}」を`}
                  actions={[
                    {
                      text: '編集',
                      act: () => onEdit({ kind, id, genreId: null, name, icon, order: String(order) }),
                    },
                    {
                      text: '削除…',
                      title: sounds > 0 ? 'サウンドで使われているため、削除できません' : undefined,
                      isOff: sounds > 0,
                      act: () => removeLabel(kind, id, name),
                    },
                  ]}
                />
              </td>
            </tr>
          ))}
        </ConsoleTable>
      )}
    </section>
  );
}
