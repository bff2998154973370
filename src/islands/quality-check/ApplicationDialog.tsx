import { type FormEvent, useEffect, useRef } from 'react';
import { AUDIO_BYTES_MAX } from '../../../contract/sounds/audio-files.ts';
import { QUALITY_CHECK_SLOTS } from '../../../contract/accounts/quality-check.ts';
import { UNTOUCHED } from '../../lib/form-state.ts';
import { qualityCheck } from '../../stores/quality-check/quality-check.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FieldError } from '../ui/FieldFrame.tsx';
import { FormContext } from '../ui/form-context.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { ignoreStrayDrops } from '../ui/stray-drops.ts';
import { TermsField } from '../ui/TermsField.tsx';
import { useInvalidFocus } from '../ui/use-invalid-focus.ts';
import { FileSlot } from './FileSlot.tsx';
import { SendProgress } from './SendProgress.tsx';
import { TypeChoice } from './TypeChoice.tsx';
import { useStore } from '../ui/use-store.ts';

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
    <Dialog isOpen={isOpen} title="クオリティチェックの申請" onClose={onClose}>
      <form ref={form} className="form quality-check-form" method="post" noValidate onSubmit={submit}>
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
          <TermsField name="agreement" answer={{ isChecked: hasAgreed, onChange: qualityCheck.agree }} />
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
            <BusyButton type="submit" className="button button-primary" isBusy={isSending}>
              {problems.length > 0 ? 'もう一度送信する' : '申請する'}
            </BusyButton>
          </div>
        </div>
      </form>
    </Dialog>
  );
}
