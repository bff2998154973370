import type { Genre, SoundType } from '../../../contract/genres.ts';
import { type SoundFilters, changeFilters, toSoundsUrl, toggleSubGenre } from '../../lib/sound-filters.ts';

interface FilterPanelProps {
  filters: SoundFilters;
  types: readonly SoundType[];
  /** Empty if the host does not filter by genre. */
  genres: readonly Genre[];
  hasAiFilter: boolean;
}

/** Type (one), AI (one), sub-genres (many). Links, so that each choice has a URL. */
export function FilterPanel({ filters, types, genres, hasAiFilter }: FilterPanelProps) {
  const to = (change: Partial<SoundFilters>) => toSoundsUrl(changeFilters(filters, change));
  const chosen =
    filters.subGenres.length + Number(filters.type !== null) + Number(filters.isAiGenerated !== null);
  if (types.length === 0 && genres.length === 0 && !hasAiFilter) return <div />;
  return (
    <details id="filters" className="filter-panel mb-4 lg:mb-0">
      <summary className="button w-full">絞り込み{chosen > 0 && `(${chosen})`}</summary>
      <nav aria-label="絞り込み" className="filter-groups">
        <FilterGroup name="種類">
          <Choice id="type" href={to({ type: null })} isOn={filters.type === null} label="すべて" />
          {types.map(({ id, name }) => (
            <Choice
              key={id}
              id={`type-${id}`}
              href={to({ type: id })}
              isOn={filters.type === id}
              label={name || id}
            />
          ))}
        </FilterGroup>
        {hasAiFilter && (
          <FilterGroup name="AI制作">
            <Choice
              id="ai"
              href={to({ isAiGenerated: null })}
              isOn={filters.isAiGenerated === null}
              label="すべて"
            />
            <Choice
              id="ai-without"
              href={to({ isAiGenerated: false })}
              isOn={filters.isAiGenerated === false}
              label="AI不使用"
            />
            <Choice
              id="ai-only"
              href={to({ isAiGenerated: true })}
              isOn={filters.isAiGenerated === true}
              label="AI使用"
            />
          </FilterGroup>
        )}
        {genres.map((genre) => (
          <FilterGroup key={genre.id} name={genre.name}>
            {genre.sub_genres.map(({ id, name }) => (
              <Choice
                key={id}
                id={`sub-genre-${id}`}
                href={to({ subGenres: toggleSubGenre(filters.subGenres, id) })}
                isOn={filters.subGenres.includes(id)}
                label={name}
              />
            ))}
          </FilterGroup>
        ))}
      </nav>
    </details>
  );
}

function FilterGroup({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-sm text-muted">{name}</h2>
      <ul className="flex flex-wrap gap-2">{children}</ul>
    </section>
  );
}

function Choice({ id, href, isOn, label }: { id: string; href: string; isOn: boolean; label: string }) {
  return (
    <li>
      <a id={id} className="chip" href={href} aria-current={isOn ? 'true' : undefined} rel="nofollow">
        {label}
      </a>
    </li>
  );
}
