import { toNumber } from '../../../../contract/digits.ts';
import {
  type LabelKind,
  type Labels,
  addLabel,
  changeLabel,
  listLabels,
  removeLabel as removeLabelCall,
} from '../../../../contract/operator/labels.ts';
import { callApi } from '../../../api/browser.ts';
import type { FieldErrors } from '../../../lib/form-state.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { firstOfEach, presentError } from '../../../stores/shared/request-errors.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** What the form of a label says; `id` is null for a new one, `order` as typed. */
export interface LabelDraft {
  readonly kind: LabelKind;
  readonly id: number | null;
  /** Of a new sub-genre. */
  readonly genreId: number | null;
  readonly name: string;
  readonly icon: string;
  readonly order: string;
}

/** Types, genres and sub-genres. */
export const $labels = staffQuery<Labels>('labels', () => callApi(listLabels));

/** Saves a label. Returns the errors by field; null once it is saved. Never throws. */
export async function saveLabel({
  kind,
  id,
  genreId,
  name,
  icon,
  order,
}: LabelDraft): Promise<FieldErrors | null> {
  const withIcon = kind === 'type' ? { icon } : {};
  try {
    if (id === null) {
      await callApi(addLabel, {
        body: { kind, name, ...withIcon, ...(genreId !== null && { genre_id: genreId }) },
      });
    } else {
      await callApi(changeLabel, { body: { kind, id, name, ...withIcon, order: toNumber(order) } });
    }
    showToast('success', '保存しました。検索には、少しあとから反映されます。');
    return null;
  } catch (error) {
    const isField = (key: string) => ['name', 'icon', 'order'].includes(key);
    const { fields, problems } = presentError(error, { toasts: 'none', isField });
    return { ...(problems[0] !== undefined && { name: problems[0] }), ...firstOfEach(fields) };
  } finally {
    $labels.revalidate();
  }
}

/** Removes a label after a question. Never throws. */
export async function removeLabel(kind: LabelKind, id: number, name: string): Promise<void> {
  const text = kind === 'genre' ? 'サブジャンルも一緒に削除されます。' : '一覧と検索の条件から消えます。';
  if (!(await ask({ title: `「${name}」を削除しますか？`, text, action: '削除する' }))) return;
  await attempt(() => callApi(removeLabelCall, { body: { kind, id } }), { done: '削除しました' });
  $labels.revalidate();
}
