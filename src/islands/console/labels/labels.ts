import * as v from 'valibot';
import { toNumber } from '../../../../contract/values/digits.ts';
import {
  type GenreKind,
  type ListedGenre,
  type OperatorGenres,
  addGenre,
  changeGenre,
  listOperatorGenres,
  removeGenre,
} from '../../../../contract/operator/genres.ts';
import { callApi } from '../../../api/browser.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { memberSignal } from '../../../stores/shared/member-atom.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';
import { createVersioned } from '../../../stores/shared/versioned.ts';

/** The values of the form of a label; `id` is null for a new one, `order` as typed. */
export interface LabelDraft {
  readonly kind: GenreKind;
  readonly id: number | null;
  /** Of a new sub-genre. */
  readonly genreId: number | null;
  readonly name: string;
  readonly icon: string;
  readonly order: string;
}

/** Types, genres and sub-genres. */
export const $labels = staffQuery<OperatorGenres>('labels', (signal) =>
  callApi(listOperatorGenres, { signal }),
);

const LabelFields = v.object({ name: v.string(), icon: v.string(), order: v.string() });
type LabelValues = v.InferOutput<typeof LabelFields>;

/** The form of a label. */
export function createLabelForm({ kind, id, genreId, ...initial }: LabelDraft) {
  const versioned = createVersioned(id === null ? null : toVersion(initial), async () => {
    const values = findLabel(await callApi(listOperatorGenres, { signal: memberSignal() }), kind, id);
    return values && { version: toVersion(values), values };
  });
  return createForm({
    schema: LabelFields,
    initial,
    explain: ({ problems }) => problems,
    versioned,
    async send({ name, icon, order }) {
      const label = { kind, name, ...(kind === 'type' && { icon }) };
      try {
        await versioned.send((version) =>
          id === null
            ? callApi(addGenre, { body: { ...label, ...(genreId !== null && { genre_id: genreId }) } })
            : callApi(changeGenre, {
                body: {
                  ...label,
                  id,
                  order: toNumber(order),
                  ...(version !== null && { read: toRead(version) }),
                },
              }),
        );
      } finally {
        $labels.revalidate();
      }
      showToast('success', '保存しました。検索には、少しあとから反映されます。');
    },
  });
}

/** The version of a label is its values. */
function toVersion({ name, icon, order }: LabelValues): string {
  return JSON.stringify([name, icon, Number(order)]);
}

function toRead(version: string) {
  const [name, icon, order] = JSON.parse(version) as [string, string, number];
  return { name, icon, order };
}

/** null: it was deleted. */
function findLabel(
  { types, genres }: OperatorGenres,
  kind: GenreKind,
  id: number | null,
): LabelValues | null {
  const all = { type: types, genre: genres, 'sub-genre': genres.flatMap((genre) => genre.sub_genres) };
  const labels: readonly (ListedGenre & { readonly icon?: string })[] = all[kind];
  const found = labels.find((label) => label.id === id);
  return found ? { name: found.name, icon: found.icon ?? '', order: String(found.order) } : null;
}

/** Removes a label after a question. Never throws. */
export async function removeLabel(kind: GenreKind, id: number, name: string): Promise<void> {
  const text = kind === 'genre' ? 'サブジャンルも一緒に削除されます。' : '一覧と検索の条件から消えます。';
  if (!(await ask({ title: `「${name}」を削除しますか？`, text, action: '削除する' }))) return;
  await attempt(() => callApi(removeGenre, { body: { kind, id } }), { done: '削除しました' });
  $labels.revalidate();
}
