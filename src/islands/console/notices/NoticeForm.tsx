import { type FormEvent, useEffect, useRef } from 'react';
import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN } from '../../../../contract/ads.ts';
import { NOTICE_FILE_BYTES_MAX, NOTICE_TEXT_LENGTH_MAX } from '../../../../contract/operator/notices.ts';
import {
  type NoticePart,
  type OpenNotice,
  chooseNoticeFile,
  closeNotice,
  isVideo,
  saveNotice,
  showNoticeDraft,
  typeNotice,
} from './notices.ts';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { FormContext, useField } from '../../ui/form-context.ts';
import { PictureProgress } from '../../ui/PictureProgress.tsx';
import { ProblemNote } from '../../ui/ProblemNote.tsx';
import { LineField } from '../LineField.tsx';

const FORM = 'notice';
const MB = 1024 * 1024;

/** The form of one notice. The file of an existing one stays. */
export function NoticeForm({ editor }: { editor: OpenNotice }) {
  const { before, draft, files, share, errors, problems, attempt } = editor;
  const form = useRef<HTMLFormElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void saveNotice();
  };
  return (
    <form ref={form} className="form console-form" noValidate onSubmit={submit}>
      <h2 ref={title} tabIndex={-1} className="text-lg">
        {before === null ? '新しいお知らせ' : 'お知らせを編集'}
      </h2>
      <FormContext value={{ id: FORM, errors }}>
        {before === null ? (
          <>
            <FileField
              part="file"
              label="画像または動画"
              hint={`AVIF、GIF、JPEG、PNG、WebP、MP4、WebM。${NOTICE_FILE_BYTES_MAX / MB}MBまで`}
              accept=".avif,.gif,.jpg,.jpeg,.png,.webp,.mp4,.webm"
            />
            {isVideo(files.file?.file) && (
              <FileField
                part="captions"
                label="字幕"
                hint="話し声のある動画には、WebVTT（.vtt）の字幕を付けてください。"
                accept=".vtt"
                isOptional
              />
            )}
          </>
        ) : (
          <p className="form-hint">ファイルを替えるには、新しいお知らせを追加して、これを削除します。</p>
        )}
        <LineField
          name="text"
          label="内容の説明"
          hint={`画像や動画を見られない人に読まれます。${NOTICE_TEXT_LENGTH_MAX}文字まで`}
          value={draft.text}
          onChange={(text) => typeNotice({ text })}
        />
        <LineField
          name="link"
          label="リンク"
          hint="https:// で始まるURL。押すと新しいタブで開きます。"
          value={draft.link}
          inputMode="url"
          isOptional
          onChange={(link) => typeNotice({ link })}
        />
        <LineField
          name="seconds"
          label="表示する秒数"
          hint={`${NOTICE_SECONDS_MIN}から${NOTICE_SECONDS_MAX}まで`}
          value={draft.seconds}
          inputMode="decimal"
          onChange={(seconds) => typeNotice({ seconds })}
        />
        <LineField
          name="from"
          label="始まり（日本時間）"
          hint="空のときは、すぐに表示します。"
          value={draft.from}
          type="datetime-local"
          isOptional
          onChange={(from) => typeNotice({ from })}
        />
        <LineField
          name="until"
          label="終わり（日本時間）"
          hint="空のときは、削除するまで表示します。"
          value={draft.until}
          type="datetime-local"
          isOptional
          onChange={(until) => typeNotice({ until })}
        />
      </FormContext>
      {share !== null && before === null && <PictureProgress share={share} />}
      <div>
        <div role="alert">
          <ProblemNote problems={problems} />
        </div>
        <div className="console-form-actions mt-4">
          <button type="button" className="button" onClick={() => void closeNotice()}>
            一覧に戻る
          </button>
          <button
            type="button"
            className="button"
            disabled={before === null && files.file === undefined}
            onClick={showNoticeDraft}
          >
            プレビュー
          </button>
          <button
            className="button button-primary"
            aria-disabled={share !== null}
            aria-busy={share !== null || undefined}
          >
            保存する
          </button>
        </div>
      </div>
    </form>
  );
}

interface FileFieldProps {
  part: NoticePart;
  label: string;
  hint: string;
  accept: string;
  isOptional?: boolean;
}

function FileField({ part, label, hint, accept, isOptional = false }: FileFieldProps) {
  const { id, described, ...texts } = useField(part, hint);
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} {...texts}>
      <input
        id={id}
        className="field console-file"
        type="file"
        accept={accept}
        required={!isOptional}
        {...described}
        onChange={(event) => chooseNoticeFile(part, event.currentTarget.files?.[0])}
      />
    </FieldFrame>
  );
}
