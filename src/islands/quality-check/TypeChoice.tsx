import { $soundTypes } from '../../stores/my-sounds/my-sounds.ts';
import { qualityCheck } from '../../stores/quality-check/quality-check.ts';
import { FieldError, RequiredMark } from '../ui/FieldFrame.tsx';
import { useField } from '../ui/form-context.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { useStore } from '../ui/use-store.ts';

/** The server's sound types: one or several. */
export function TypeChoice({ isSending }: { isSending: boolean }) {
  const { data, error: failure, loading } = useStore($soundTypes);
  const { types } = useStore(qualityCheck.$answers);
  const { id, error, errorId, described } = useField('types');
  return (
    <fieldset className="form-field" disabled={isSending}>
      <legend className="form-label">
        種類 <RequiredMark />
      </legend>
      <div className="flex min-h-11 flex-wrap gap-x-8">
        {data?.map((type) => (
          <label key={type.id} className="form-check">
            <input
              id={`${id}-${type.id}`}
              type="checkbox"
              name="types"
              checked={types.includes(type.id)}
              onChange={() => qualityCheck.toggleType(type.id)}
              {...described}
              aria-invalid={error !== undefined}
            />
            <span>{type.name}</span>
          </label>
        ))}
        {data === undefined && loading && <p className="form-hint">読み込んでいます…</p>}
        {data === undefined && failure !== undefined && !loading && (
          <LoadFailure error={failure} onRetry={() => $soundTypes.revalidate()} />
        )}
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}
