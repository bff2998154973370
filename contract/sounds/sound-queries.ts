import * as v from 'valibot';
import { FACT_FILTERS, FACT_PARAMETERS, toFactName } from './sound-facts.ts';
import type { FactParameter } from './sound-facts.ts';
import { PAGE_SIZE_MAX } from './listing-limits.ts';
import { IDS_MAX, ORDERINGS, PAGE_NUMBER_MAX, SEARCH_LENGTH_MAX, SUB_GENRES_MAX } from './listing-limits.ts';
import { lastText } from '../calls/query-values.ts';

/**
 * The queries of `contract/sounds/sounds.ts` as a host reads them from a URL. Separate because only hosts parse queries;
 * browsers need not load this code.
 */

/** A whole number in a query, between two bounds; `message` is the error text of the reply. */
function wholeNumber(max: number, message: string) {
  return v.pipe(
    lastText,
    v.regex(/^\d{1,9}$/, message),
    v.transform(Number),
    v.minValue(1, message),
    v.maxValue(max, message),
  );
}

/** `true` or `false`. */
export const lastFlag = v.pipe(
  lastText,
  v.picklist(['true', 'false'], 'true か false を指定してください。'),
  v.transform((value) => value === 'true'),
);

/** Any text can be an id; an unknown one finds nothing. */
const ID = /^[^\p{Cc}]{1,200}$/u;
const ID_MESSAGE = 'idの形式が正しくありません。';
const id = v.pipe(lastText, v.regex(ID, ID_MESSAGE));

/** Ids. Their number is checked before their form. */
function ids(max: number, format: RegExp, message: string) {
  return v.pipe(
    v.array(v.string()),
    // Describes the check for the document of the API.
    v.metadata({ maxItems: max, items: { type: 'string', pattern: format.source } }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      if (dataset.value.length > max) addIssue({ message });
      else if (!dataset.value.every((value) => format.test(value))) addIssue({ message: ID_MESSAGE });
    }),
  );
}

const search = v.pipe(
  lastText,
  v.maxLength(SEARCH_LENGTH_MAX, `検索は${SEARCH_LENGTH_MAX}文字以内で入力してください。`),
);

/** The values of a filter by facts; at most as many as it has. */
function factValues(parameter: FactParameter) {
  const { values } = FACT_FILTERS[toFactName(parameter)];
  const message = `${parameter} は ${values.join(' / ')} から指定してください。`;
  return v.optional(v.pipe(v.array(v.picklist(values, message)), v.maxLength(values.length, message)));
}

const facts = Object.fromEntries(
  FACT_PARAMETERS.map((parameter) => [parameter, factValues(parameter)]),
) as Record<FactParameter, ReturnType<typeof factValues>>;

export const SuggestionQuerySchema = v.object({ search });

/** What a listing and the counts beside its filters have in common. */
const filters = {
  type: v.optional(id),
  sub_genres: v.optional(ids(SUB_GENRES_MAX, ID, `サブジャンルは${SUB_GENRES_MAX}個まで指定できます。`)),
  is_ai_generated: v.optional(lastFlag),
  ...facts,
  search: v.optional(search),
};

export const FactCountQuerySchema = v.object(filters);

/** The listing's query as the API parses it: strictly, so that an invalid value is named and rejected. */
export const SoundQuerySchema = v.object({
  page: v.optional(wholeNumber(PAGE_NUMBER_MAX, 'ページ番号は1以上の整数で指定してください。')),
  page_size: v.optional(
    wholeNumber(PAGE_SIZE_MAX, `1ページの件数は1から${PAGE_SIZE_MAX}までの整数で指定してください。`),
  ),
  ...filters,
  user: v.optional(v.pipe(lastText, v.maxLength(150, 'ユーザー名が長すぎます。'))),
  ordering: v.optional(
    v.pipe(lastText, v.picklist(ORDERINGS, `並び順は ${ORDERINGS.join(' / ')} のいずれかです。`)),
  ),
  include_private: v.optional(lastFlag),
  favorite: v.optional(lastFlag),
  ids: v.optional(ids(IDS_MAX, /^[\w-]{1,40}$/, `idは${IDS_MAX}個まで指定できます。`)),
});
