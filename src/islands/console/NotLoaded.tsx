import { LoadFailure } from '../ui/LoadFailure.tsx';

interface NotLoadedProps {
  title: string;
  /** Undefined while it is being read. */
  error: unknown;
  onRetry: () => void;
}

/** In place of data that is being read, or could not be read. */
export function NotLoaded({ title, error, onRetry }: NotLoadedProps) {
  return error === undefined ? (
    <p role="status">読み込んでいます…</p>
  ) : (
    <LoadFailure title={title} error={error} onRetry={onRetry} />
  );
}
