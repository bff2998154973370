import type { Genre, SoundType } from '../../../contract/genres.ts';
import { type SoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';
import { Icon } from '../ui/Icon.tsx';
import { listActiveFilters } from './active-filters.ts';

interface ActiveFiltersProps {
  filters: SoundFilters;
  types: readonly SoundType[];
  genres: readonly Genre[];
}

/** The active filters: a link to remove each, and one to clear all. */
export function ActiveFilters({ filters, types, genres }: ActiveFiltersProps) {
  const active = listActiveFilters(filters, types, genres);
  if (active.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-wrap items-center gap-2" aria-label="選択中の条件">
      {active.map(({ label, without }) => (
        <li key={label} className="max-w-full">
          <a className="chip max-w-full" href={toSoundsUrl(without)} aria-label={`${label}を外す`}>
            <span className="truncate">{label}</span>
            <Icon name="close" className="size-4 flex-none" />
          </a>
        </li>
      ))}
      <li>
        <a
          className="link inline-flex min-h-8 items-center px-2 text-sm pointer-coarse:min-h-11"
          href="/sounds"
        >
          すべて外す
        </a>
      </li>
    </ul>
  );
}
