import { $genres, findProblem, toggleChoice } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { ChoiceChips } from '../ui/Chips.tsx';
import type { ChoiceChipsProps } from '../ui/Chips.tsx';
import { ChipField } from './ChipField.tsx';
import { useStore } from '../ui/use-store.ts';

/** A press adds or removes a sub-genre (spec §2). */
export function SubGenreChips({ editing }: { editing: SoundEditing }) {
  return (
    <ChipField id="sound-genres" label="ジャンル" problem={findProblem(editing, 'sub_genres')}>
      <GenreChips
        chosen={editing.draft.sub_genres}
        isOff={editing.saving !== null}
        onToggle={(id) => toggleChoice('sub_genres', id)}
      />
    </ChipField>
  );
}

/** Chips of all sub-genres, by genre. */
export function GenreChips(props: Omit<ChoiceChipsProps<string>, 'choices'>) {
  const { data: genres, error, loading } = useStore($genres);
  return (
    <>
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
          <ChoiceChips {...props} choices={genre.sub_genres.map(({ id, name }) => [id, name])} />
        </div>
      ))}
    </>
  );
}
