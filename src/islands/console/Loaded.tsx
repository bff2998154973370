import type { FetcherStore } from '@nanostores/query';
import type { ReactNode } from 'react';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { useStore } from '../ui/use-store.ts';

interface LoadedProps<Data> {
  query: FetcherStore<Data>;
  /** Of a failure. */
  title: string | ((error: unknown) => string);
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query. A failure is shown instead, or above data that was read earlier. */
export function Loaded<Data>({ query, title, children }: LoadedProps<Data>) {
  const { data, error } = useStore(query);
  return (
    <>
      {error !== undefined && (
        <LoadFailure
          title={typeof title === 'string' ? title : title(error)}
          error={error}
          onRetry={() => query.revalidate()}
        />
      )}
      {data === undefined && error === undefined && <p role="status">読み込んでいます…</p>}
      {data !== undefined && children(data)}
    </>
  );
}
