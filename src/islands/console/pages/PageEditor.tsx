import { type FormEvent, useEffect, useRef } from 'react';
import {
  PAGE_BODY_BYTES_MAX,
  PAGE_ORDER_MAX,
  PAGE_TITLE_LENGTH_MAX,
  measurePageBody,
} from '../../../../contract/operator/pages.ts';
import { contentPath } from '../../../lib/paths.ts';
import { type OpenPage, changePage, closePage, keepMine, savePage, takeTheirs } from './pages.ts';
import { CharacterCount } from '../../ui/CharacterCount.tsx';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { FormContext, useField } from '../../ui/form-context.ts';
import { ProblemNote } from '../../ui/ProblemNote.tsx';
import { sendOnCtrlEnter } from '../../ui/send-keys.ts';
import { LineField } from '../LineField.tsx';
import { PagePreview } from './PagePreview.tsx';

const FORM = 'page';

/** The form of one page beside its preview. */
export function PageEditor({ editor, path }: { editor: OpenPage; path: string }) {
  const { draft, version, errors, problems, attempt, conflict, isSaving } = editor;
  // The pages with addresses of their own are always in the footer.
  const isInFooter = path.startsWith(contentPath(''));
  const form = useRef<HTMLFormElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void savePage();
  };
  return (
    <div className="console-editor">
      <form ref={form} className="form" noValidate onSubmit={submit}>
        <h2 ref={title} tabIndex={-1} className="text-lg">
          {version === null ? '新しいページ' : `${path} を編集`}
        </h2>
        <FormContext value={{ id: FORM, errors }}>
          {version === null && (
            <LineField
              name="slug"
              label="URL"
              hint={`公開ページの住所になります：${path}`}
              value={draft.slug}
              onChange={(slug) => changePage({ slug })}
            />
          )}
          <LineField
            name="title"
            label="タイトル"
            hint={`${PAGE_TITLE_LENGTH_MAX}文字まで`}
            value={draft.title}
            onChange={(text) => changePage({ title: text })}
          />
          <BodyField value={draft.body} />
          {isInFooter && (
            <LineField
              name="order"
              label="並び順"
              hint={`0から${PAGE_ORDER_MAX}までの数字。小さいものから並びます。`}
              value={draft.order}
              inputMode="numeric"
              onChange={(order) => changePage({ order })}
            />
          )}
        </FormContext>
        {isInFooter && (
          <label className="form-check">
            <input
              type="checkbox"
              checked={draft.isListed}
              onChange={(event) => changePage({ isListed: event.currentTarget.checked })}
            />
            <span>フッターに載せる</span>
          </label>
        )}
        <div>
          <div role="alert">
            <ProblemNote problems={problems}>{conflict && <Conflict theirs={conflict.theirs} />}</ProblemNote>
          </div>
          <div className="console-form-actions mt-4">
            <button type="button" className="button" onClick={() => void closePage()}>
              一覧に戻る
            </button>
            <button
              className="button button-primary"
              aria-disabled={isSaving}
              aria-busy={isSaving || undefined}
            >
              保存する
            </button>
          </div>
        </div>
      </form>
      <PagePreview title={draft.title} body={draft.body} />
    </div>
  );
}

const KB = 1024;

function BodyField({ value }: { value: string }) {
  const hint = 'Markdownで書きます。{site} はサイト名になります。';
  const { id, described, ...texts } = useField('body', hint);
  const countId = `${id}-count`;
  return (
    <FieldFrame id={id} label="本文" hint={hint} {...texts}>
      <textarea
        id={id}
        className="field form-area console-markdown"
        required
        value={value}
        {...described}
        aria-describedby={[described['aria-describedby'], countId].filter(Boolean).join(' ')}
        onChange={(event) => changePage({ body: event.currentTarget.value })}
        onKeyDown={sendOnCtrlEnter}
      />
      <CharacterCount
        id={countId}
        unit="KB"
        length={Math.ceil(measurePageBody(value) / KB)}
        lengthMax={PAGE_BODY_BYTES_MAX / KB}
      />
    </FieldFrame>
  );
}

/** Someone else was first: both texts are there, and the staff chooses. */
function Conflict({ theirs }: Pick<NonNullable<OpenPage['conflict']>, 'theirs'>) {
  return (
    <div className="grid gap-2">
      <p>入力した文章は、このまま残っています。</p>
      {theirs && (
        <details>
          <summary className="cursor-pointer">いま保存されている文章を見る</summary>
          <pre className="console-theirs" tabIndex={0}>
            {theirs.body}
          </pre>
        </details>
      )}
      <div className="console-form-actions">
        {theirs && (
          <button type="button" className="button" onClick={takeTheirs}>
            保存されている文章を使う
          </button>
        )}
        <button type="button" className="button" onClick={() => void keepMine()}>
          {theirs ? '入力した文章で置き換える' : '入力した文章で作り直す'}
        </button>
      </div>
    </div>
  );
}
