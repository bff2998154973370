import type { Unread } from './desk.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';

interface UnreadEntryProps {
  failure: Unread | undefined;
  onRetry: (id: string) => Promise<void>;
}

/** Replaces an entry of a desk that is not read yet, or could not be read. */
export function UnreadEntry({ failure, onRetry }: UnreadEntryProps) {
  if (failure === undefined) return <p aria-busy="true">読み込んでいます…</p>;
  return (
    <LoadFailure
      title="申請を読み込めませんでした"
      error={failure.error}
      onRetry={() => void onRetry(failure.id)}
    />
  );
}
