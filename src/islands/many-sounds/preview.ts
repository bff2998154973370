import type { Genre } from '../../../contract/sounds/genres.ts';
import { formatCount } from '../../lib/format.ts';
import { PLANNED_FIELDS } from '../../stores/many-sounds/many-sounds.ts';
import type { FieldPlan, Outcome, Plan, PlannedField } from '../../stores/many-sounds/many-sounds.ts';
import { CHOICE_FIELDS, FIELD_NAMES, toText } from './fields.ts';

/** Titles in one sentence. */
const TITLES_MAX = 3;

/** Says how many rows a plan changes and how, and which rows it leaves unchanged. */
export function describePlan(plan: Plan, outcomes: readonly Outcome[], genres: readonly Genre[]): string[] {
  const fine = outcomes.filter(({ problem }) => problem === null);
  const total = formatCount(outcomes.length);
  const lines = PLANNED_FIELDS.flatMap((field) => {
    const planned = plan[field];
    if (planned === undefined || isEmpty(planned)) return [];
    const changed = fine.filter(({ values }) => field in values).length;
    const same = fine.length - changed;
    return [
      `${total}件のうち${formatCount(changed)}件${toVerb(field, planned, genres)}。` +
        (same > 0 ? `${formatCount(same)}件は${SAME[planned.mode]}。` : ''),
    ];
  });
  return [...lines, ...describeProblems(outcomes), ...describeUploads(fine)];
}

/** Says how many rows get the picture, which cannot be undone. */
export function describePicture(total: number, changed: number): string[] {
  if (changed === 0) return [];
  return [
    `${formatCount(total)}件のうち${formatCount(changed)}件のサムネイルを替えます。サムネイルは「元に戻す」では戻りません。`,
  ];
}

/** The rows with each problem. */
export function describeProblems(outcomes: readonly Outcome[]): string[] {
  const problems = [...new Set(outcomes.flatMap(({ problem }) => problem ?? []))];
  return problems.map((problem) => {
    const titles = outcomes.filter((each) => each.problem === problem).map(({ row }) => row.title);
    const listed = titles.slice(0, TITLES_MAX).map((title) => `「${title}」`);
    return `${formatCount(titles.length)}件は変更しません：${problem}（${listed.join('')}${titles.length > listed.length ? 'ほか' : ''}）`;
  });
}

function describeUploads(outcomes: readonly Outcome[]): string[] {
  const count = outcomes.filter(({ row, values }) => row.sound === null && Object.keys(values).length > 0);
  return count.length > 0
    ? [`アップロード中の${formatCount(count.length)}件は、送り終わったときに変更します。`]
    : [];
}

const SAME: Readonly<Record<FieldPlan['mode'], string>> = {
  add: '既にあります',
  remove: 'もともとありません',
  set: '既に同じ内容です',
};

/** Lists to add or remove that are empty do nothing; neither does an empty text to add. */
function isEmpty({ mode, value }: FieldPlan): boolean {
  return mode !== 'set' && value.length === 0;
}

function toVerb(field: PlannedField, { mode, value }: FieldPlan, genres: readonly Genre[]): string {
  const name = FIELD_NAMES[field];
  if (typeof value === 'string') {
    if (mode === 'add') return `の${name}の末尾に文を加えます`;
    const options: readonly (readonly [string, string])[] =
      field in CHOICE_FIELDS ? CHOICE_FIELDS[field as keyof typeof CHOICE_FIELDS] : [];
    const text = options.find(([option]) => option === value)?.[1] ?? value;
    if (text === '') return `の${name}を空にします`;
    return field === 'description' ? `の${name}を置き換えます` : `の${name}を「${text}」にします`;
  }
  const texts = value.map((each) => `「${toText(each, genres)}」`).join('');
  if (mode === 'add') return `に${name}${texts}を追加します`;
  if (mode === 'remove') return `から${name}${texts}を外します`;
  return texts === '' ? `の${name}をすべて外します` : `の${name}を${texts}だけにします`;
}
