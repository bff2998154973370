import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useRef } from 'react';
import { AUDIO_BYTES_MAX } from '../../../contract/audio-files.ts';
import { QUALITY_CHECK_SLOTS } from '../../../contract/quality-check.ts';
import { UNTOUCHED } from '../../lib/form-state.ts';
import { qualityCheck } from '../../stores/quality-check/quality-check.ts';
import { CheckboxField } from '../ui/CheckboxField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FieldError } from '../ui/FieldFrame.tsx';
import { FormContext } from '../ui/form-context.ts';
import { Icon } from '../ui/Icon.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { ignoreStrayDrops } from '../ui/stray-drops.ts';
import { useInvalidFocus } from '../ui/use-invalid-focus.ts';
import { FileSlot } from './FileSlot.tsx';
import { SendProgress } from './SendProgress.tsx';
import { TypeChoice } from './TypeChoice.tsx';

interface ApplicationDialogProps {
  isOpen: boolean;
  userId: string;
  onClose: () => void;
}

/** The form of spec §2. Closing keeps the chosen files, and sending continues. */
export function ApplicationDialog({ isOpen, userId, onClose }: ApplicationDialogProps) {
  const files = useStore(qualityCheck.$files);
  const { hasAgreed } = useStore(qualityCheck.$answers);
  const application = useStore(qualityCheck.$application);
  const form = useRef<HTMLFormElement>(null);
  const isSending = application.state === 'sending';
  const { errors, problems, attempt } = isSending ? UNTOUCHED : application;
  useInvalidFocus(form, attempt);
  useEffect(() => (isOpen ? ignoreStrayDrops() : undefined), [isOpen]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void qualityCheck.send(userId);
  };

  return (
    <Dialog isOpen={isOpen} titleId="quality-check-title" onClose={onClose}>
      <form ref={form} className="form quality-check-form" method="post" noValidate onSubmit={submit}>
        <h2 id="quality-check-title" className="text-lg">
          クオリティチェックの申請
        </h2>
        <FormContext value={{ id: 'quality-check', errors }}>
          <fieldset className="form-field" aria-describedby="quality-check-files-hint">
            <legend className="form-label">音声ファイル</legend>
            <p id="quality-check-files-hint" className="form-hint">
              .mp3 か .m4a で、1つ{AUDIO_BYTES_MAX / 1024 / 1024}MBまで。1曲目から3曲目は必須です。
              <span className="file-slots-drop">枠の中にドロップしても選べます。</span>
            </p>
            <div className="file-slots">
              {QUALITY_CHECK_SLOTS.map((slot) => (
                <FileSlot key={slot} slot={slot} file={files[slot]} isSending={isSending} />
              ))}
            </div>
            <FieldError id="quality-check-files-error" error={errors['files']} />
          </fieldset>
          <TypeChoice isSending={isSending} />
          <CheckboxField name="agreement" answer={{ isChecked: hasAgreed, onChange: qualityCheck.agree }}>
            <a className="link" href="/member-terms" target="_blank" rel="noopener">
              会員規約
              <Icon name="external" className="mx-0.5 inline size-4 align-[-2px]" />
              <span className="sr-only">（新しいタブで開きます）</span>
            </a>
            に同意します
          </CheckboxField>
        </FormContext>
        <div role="alert">
          <ProblemNote problems={problems}>
            <p>選んだファイルは残っています。</p>
          </ProblemNote>
        </div>
        <div className="quality-check-foot">
          {isSending && <SendProgress {...application} />}
          <span className="sr-only" role="status">
            {isSending ? '送信しています' : ''}
          </span>
          <div className="dialog-actions">
            {/* One button for both actions, so that focus is not lost when the action changes. */}
            <button type="button" className="button" onClick={isSending ? qualityCheck.cancel : onClose}>
              {isSending ? '送信を中止' : '閉じる'}
            </button>
            {/* Stays focusable while sending, so that focus is not lost; the store ignores presses. */}
            <button
              type="submit"
              className="button button-primary"
              aria-disabled={isSending || undefined}
              aria-busy={isSending || undefined}
            >
              {isSending ? '処理中...' : problems.length > 0 ? 'もう一度送信する' : '申請する'}
            </button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}
