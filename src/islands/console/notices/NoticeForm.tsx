import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN } from '../../../../contract/downloads/ads.ts';
import { NOTICE_FILE_BYTES_MAX, NOTICE_TEXT_LENGTH_MAX } from '../../../../contract/operator/notices.ts';
import { FormConflict } from '../../ui/Conflict.tsx';
import { Form } from '../../ui/Form.tsx';
import { PictureProgress } from '../../ui/PictureProgress.tsx';
import { focusOnMount } from '../../ui/focus-on-mount.ts';
import { TextField } from '../../ui/TextField.tsx';
import { type OpenNotice, closeNotice, isVideo, showNoticeDraft, toFileFault } from './notices.ts';
import { useStore } from '../../ui/use-store.ts';

const MB = 1024 * 1024;
const LABELS = {
  text: '内容の説明',
  link: 'リンク',
  seconds: '秒数',
  from: '始まり',
  until: '終わり',
  file: null,
  captions: null,
};

/** The form of one notice. The file of an existing one stays. */
export function NoticeForm({ editor }: { editor: OpenNotice }) {
  const { form, before, share } = editor;
  const { file, captions } = useStore(form.$values);
  const { state } = useStore(form.$form);
  return (
    <Form
      id="notice"
      className="form console-form"
      logic={form}
      submitLabel="保存する"
      busyLabel="保存する"
      actions={
        <>
          <button type="button" className="button" onClick={() => void closeNotice()}>
            一覧に戻る
          </button>
          <button
            type="button"
            className="button"
            disabled={before === null && !file}
            onClick={() => void showNoticeDraft(editor)}
          >
            プレビュー
          </button>
        </>
      }
    >
      <h2 ref={focusOnMount} tabIndex={-1} className="text-lg">
        {before === null ? '新しい広告' : '広告を編集'}
      </h2>
      {before === null ? (
        <>
          <TextField
            type="file"
            className="field console-file"
            name="file"
            label="画像または動画"
            hint={`AVIF、GIF、JPEG、PNG、WebP、MP4、WebM。${NOTICE_FILE_BYTES_MAX / MB}MBまで`}
            accept=".avif,.gif,.jpg,.jpeg,.png,.webp,.mp4,.webm"
            fault={toFileFault(file)}
          />
          {isVideo(file) && (
            <TextField
              type="file"
              className="field console-file"
              name="captions"
              label="字幕"
              hint="話し声のある動画には、WebVTT（.vtt）の字幕を付けてください。"
              accept=".vtt"
              fault={toFileFault(captions)}
              isOptional
            />
          )}
        </>
      ) : (
        <p className="form-hint">ファイルを替えるには、新しい広告を追加して、これを削除します。</p>
      )}
      <TextField
        name="text"
        label="内容の説明"
        hint={`画像や動画を見られない人に読まれます。${NOTICE_TEXT_LENGTH_MAX}文字まで`}
        autoComplete="off"
      />
      <TextField
        name="link"
        label="リンク"
        hint="https:// で始まるURL。押すと新しいタブで開きます。"
        inputMode="url"
        autoComplete="off"
        isOptional
      />
      <TextField
        name="seconds"
        label="表示する秒数"
        hint={`${NOTICE_SECONDS_MIN}から${NOTICE_SECONDS_MAX}まで`}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField
        name="from"
        label="始まり（日本時間）"
        hint="空のときは、すぐに表示します。"
        type="datetime-local"
        isOptional
      />
      <TextField
        name="until"
        label="終わり（日本時間）"
        hint="空のときは、削除するまで表示します。"
        type="datetime-local"
        isOptional
      />
      <FormConflict logic={form} labels={LABELS} canCreate={false} />
      {state === 'sending' && before === null && <PictureProgress share={share} />}
    </Form>
  );
}
