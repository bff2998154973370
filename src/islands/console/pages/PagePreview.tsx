import { useEffect } from 'react';
import { $preview, showPreview } from './pages.ts';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Debounce of typing. */
const PAUSE_MS = 600;

/** The page as visitors will see it. The server renders it, with the renderer of the public page. */
export function PagePreview({
  title,
  body,
  licenceLine,
}: {
  title: string;
  body: string;
  /** Of terms; undefined: that of now. */
  licenceLine: string | undefined;
}) {
  const preview = useStore($preview);
  useEffect(() => {
    const calls = new AbortController();
    const timer = setTimeout(() => void showPreview(body, licenceLine, calls.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      calls.abort();
    };
  }, [body, licenceLine]);
  return (
    <section className="panel console-preview" aria-label="プレビュー" tabIndex={0}>
      <p className="text-sm text-muted" role="status">
        {preview.state === 'ready' && preview.body !== body ? 'プレビューを更新しています…' : 'プレビュー'}
      </p>
      {preview.state === 'failed' && (
        <LoadFailure
          title="プレビューを表示できませんでした"
          error={preview.error}
          onRetry={() => void showPreview(body, licenceLine, new AbortController().signal)}
        />
      )}
      {preview.state !== 'failed' && (
        <article className="prose">
          <h1>{title || '（タイトル）'}</h1>
          {/* Sanitised by the server, like the public page. */}
          {preview.state === 'ready' && (
            <div className="prose" dangerouslySetInnerHTML={{ __html: preview.html }} />
          )}
        </article>
      )}
    </section>
  );
}
