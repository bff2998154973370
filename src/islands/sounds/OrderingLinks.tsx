import type { Ordering } from '../../../contract/listing-limits.ts';
import { type SoundFilters, changeFilters, toSoundsUrl } from '../../lib/sound-filters.ts';

const LABELS: Record<Ordering, string> = {
  relevance: '関連度順',
  '-created': '新着順',
  '-downloads': 'ダウンロード数順',
  '-favorites': 'お気に入り数順',
};

export function OrderingLinks({ filters }: { filters: SoundFilters }) {
  const orderings = (Object.keys(LABELS) as Ordering[]).filter(
    (ordering) => ordering !== 'relevance' || filters.search !== '',
  );
  return (
    <nav aria-label="並び順" className="flex flex-wrap gap-1">
      {orderings.map((ordering) => (
        <a
          key={ordering}
          id={`by${ordering}`}
          className="chip"
          href={toSoundsUrl(changeFilters(filters, { ordering }))}
          aria-current={ordering === filters.ordering ? 'true' : undefined}
        >
          {LABELS[ordering]}
        </a>
      ))}
    </nav>
  );
}
