import {
  PAGE_BODY_BYTES_MAX,
  PAGE_ORDER_MAX,
  PAGE_TITLE_LENGTH_MAX,
  measurePageBody,
} from '../../../../contract/operator/pages.ts';
import { CharacterCount } from '../../ui/CharacterCount.tsx';
import { CheckboxField } from '../../ui/CheckboxField.tsx';
import { FormConflict } from '../../ui/Conflict.tsx';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { Form } from '../../ui/Form.tsx';
import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useField } from '../../ui/form-context.ts';
import { sendOnCtrlEnter } from '../../ui/send-keys.ts';
import { PagePreview } from './PagePreview.tsx';
import { OWN_ADDRESSES, type OpenPage, closePage, toPath } from './pages.ts';
import { useStore } from '../../ui/use-store.ts';

const LABELS = { title: 'タイトル', body: '本文', order: '並び順', is_listed: '「フッターに載せる」' };

/** The form of one page beside its preview. */
export function PageEditor({ editor }: { editor: OpenPage }) {
  const { form, isSaved } = editor;
  const values = useStore(form.$values);
  const [slug, body] = [String(values['slug']), String(values['body'])];
  // The pages with addresses of their own are always in the footer.
  const isInFooter = !OWN_ADDRESSES.has(slug);
  return (
    <div className="console-editor">
      <Form
        id="page"
        logic={form}
        submitLabel="保存する"
        busyLabel="保存する"
        actions={
          <button type="button" className="button" onClick={() => void closePage()}>
            一覧に戻る
          </button>
        }
      >
        <h2 ref={focusOnMount} tabIndex={-1} className="text-lg">
          {isSaved ? `${toPath(slug)} を編集` : '新しいページ'}
        </h2>
        <div hidden={isSaved}>
          <TextField
            name="slug"
            label="URL"
            hint={`公開ページの住所になります：${toPath(slug)}`}
            autoComplete="off"
          />
        </div>
        <TextField
          name="title"
          label="タイトル"
          hint={`${PAGE_TITLE_LENGTH_MAX}文字まで`}
          autoComplete="off"
        />
        <BodyField body={body} />
        <div hidden={!isInFooter}>
          <TextField
            name="order"
            label="並び順"
            hint={`0から${PAGE_ORDER_MAX}までの数字。小さいものから並びます。`}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
        <div hidden={!isInFooter}>
          <CheckboxField name="is_listed" isOptional>
            フッターに載せる
          </CheckboxField>
        </div>
        <FormConflict logic={form} labels={LABELS} />
      </Form>
      <PagePreview title={String(values['title'])} body={body} />
    </div>
  );
}

const KB = 1024;

function BodyField({ body }: { body: string }) {
  const field = useField('body', 'Markdownで書きます。{site} はサイト名になります。');
  const countId = `${field.id}-count`;
  return (
    <FieldFrame field={field} label="本文">
      <textarea
        className="field form-area console-markdown"
        required
        {...field.control}
        aria-describedby={[field.control['aria-describedby'], countId].filter(Boolean).join(' ')}
        onKeyDown={sendOnCtrlEnter}
      />
      <CharacterCount
        id={countId}
        unit="KB"
        length={Math.ceil(measurePageBody(body) / KB)}
        lengthMax={PAGE_BODY_BYTES_MAX / KB}
      />
    </FieldFrame>
  );
}
