import { $genres, findProblem, toggleChoice } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { FieldError } from '../ui/FieldFrame.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { useStore } from '../ui/use-store.ts';

/** Chips by genre; a press adds or removes a sub-genre (spec §2). */
export function SubGenreChips({ editing }: { editing: SoundEditing }) {
  const { data: genres, error, loading } = useStore($genres);
  const { draft, saving } = editing;
  const problem = findProblem(editing, 'sub_genres');
  return (
    <fieldset
      className="sound-genres"
      tabIndex={-1}
      data-wrong={problem === null ? undefined : ''}
      aria-describedby={problem === null ? undefined : 'sound-genres-error'}
    >
      <legend className="form-label">ジャンル</legend>
      {genres === undefined &&
        (error !== undefined && !loading ? (
          <LoadFailure error={error} onRetry={() => $genres.revalidate()} />
        ) : (
          <p role="status">Loading...</p>
        ))}
      {genres?.map((genre) => (
        <div key={genre.id} role="group" aria-label={genre.name}>
          <p className="text-sm text-muted" aria-hidden="true">
            {genre.name}
          </p>
          <div className="flex flex-wrap gap-2">
            {genre.sub_genres.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                className="chip"
                aria-pressed={draft.sub_genres.includes(id)}
                aria-disabled={saving !== null || undefined}
                onClick={() => toggleChoice('sub_genres', id)}
              >
                {name}
              </button>
            ))}
          </div>
        </div>
      ))}
      <div role="alert" className="empty:hidden">
        <FieldError id="sound-genres-error" error={problem} />
      </div>
    </fieldset>
  );
}
