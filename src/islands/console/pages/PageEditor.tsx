import {
  LICENCE_LINE_LENGTH_MAX,
  PAGE_BODY_BYTES_MAX,
  PAGE_ORDER_MAX,
  PAGE_TITLE_LENGTH_MAX,
  measurePageBody,
} from '../../../../contract/operator/pages.ts';
import { USE_TEXTS } from '../../../../contract/sounds/fact-labels.ts';
import { TERMS_SLUG } from '../../../../contract/downloads/licence.ts';
import { LICENCE_USES } from '../../../../contract/sounds/sound-facts.ts';
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
import { OWN_ADDRESSES, type OpenPage, closePage, toPath, toUseField, toUseFields } from './pages.ts';
import { useStore } from '../../ui/use-store.ts';

const LABELS = {
  slug: null,
  title: 'タイトル',
  body: '本文',
  order: '並び順',
  is_listed: '「フッターに載せる」',
  licence_line: '「利用条件の一行」',
  ...toUseFields((use) => `「${USE_TEXTS[use]}」`),
};

/** The form of one page beside its preview. */
export function PageEditor({ editor }: { editor: OpenPage }) {
  const { form, isSaved } = editor;
  const values = useStore(form.$values);
  const [slug, body] = [String(values['slug']), String(values['body'])];
  // The pages with addresses of their own are always in the footer.
  const isTerms = slug === TERMS_SLUG;
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
            hint={`公開ページのアドレスになります：${toPath(slug)}`}
            autoComplete="off"
          />
        </div>
        <TextField
          name="title"
          label="タイトル"
          hint={`${PAGE_TITLE_LENGTH_MAX}文字まで`}
          autoComplete="off"
        />
        <BodyField body={body} isTerms={isTerms} />
        <div hidden={!isTerms}>
          <LicenceFields />
        </div>
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
      <PagePreview
        title={String(values['title'])}
        body={body}
        licenceLine={isTerms ? String(values['licence_line']) : undefined}
      />
    </div>
  );
}

const KB = 1024;

/** What the terms give for every sound. It is saved with their text. */
function LicenceFields() {
  const field = useField('licence_line');
  return (
    <fieldset className="grid gap-4">
      <legend className="form-label">すべてのサウンドに共通の利用条件</legend>
      <p className="form-hint">
        この一行と使いみちは、サウンドのページ、検索、利用証明書、APIに使われます。規約の文と同じ意味になるように書いてください。空にすると、どこにも表示されません。
      </p>
      <FieldFrame field={field} label="利用条件の一行" isOptional>
        <textarea className="field" rows={3} maxLength={LICENCE_LINE_LENGTH_MAX} {...field.control} />
      </FieldFrame>
      <div>
        <p className="form-label">規約が認める使いみち</p>
        <p className="form-hint">選ばなかったものは、アーティストがサウンドごとに追加で認められます。</p>
        {LICENCE_USES.map((use) => (
          <CheckboxField key={use} name={toUseField(use)} isOptional>
            {USE_TEXTS[use]}
          </CheckboxField>
        ))}
      </div>
    </fieldset>
  );
}

function BodyField({ body, isTerms }: { body: string; isTerms: boolean }) {
  const ofLicence = isTerms
    ? '{licence} は下の「利用条件の一行」になります。'
    : '{licence} は会員規約の「利用条件の一行」になります。';
  const field = useField('body', `Markdownで書きます。{site} はサイト名、${ofLicence}`);
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
