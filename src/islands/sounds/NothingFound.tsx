import type { Genre, SoundType } from '../../../contract/genres.ts';
import { type SoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';
import { listActiveFilters } from './active-filters.ts';

interface NothingFoundProps {
  filters: SoundFilters;
  types: readonly SoundType[];
  genres: readonly Genre[];
}

/** No results: shows the search and offers to remove one condition. */
export function NothingFound({ filters, types, genres }: NothingFoundProps) {
  const active = listActiveFilters(filters, types, genres);
  const isBeyond = filters.page > 1;
  return (
    <div className="rounded-card border border-line bg-surface p-6 sm:p-10">
      <h2 className="text-lg">
        {isBeyond ? 'このページにはサウンドがありません' : '条件に合うサウンドが見つかりませんでした'}
      </h2>
      {isBeyond ? (
        <a className="button mt-4" href={toSoundsUrl({ ...filters, page: 1, lastPage: 1 })}>
          最初のページへ
        </a>
      ) : (
        active.length > 0 && (
          <>
            <p className="mt-2 text-muted">
              {active.map(({ label }) => label).join('・')}
              で探しました。条件を1つ外すと見つかるかもしれません。
            </p>
            <ul className="mt-4 flex flex-wrap gap-2">
              {active.map(({ label, without }) => (
                <li key={label}>
                  <a className="button" href={toSoundsUrl(without)}>
                    {label}を外して探す
                  </a>
                </li>
              ))}
            </ul>
          </>
        )
      )}
    </div>
  );
}
