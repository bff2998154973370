import { type ReactNode, useEffect, useRef } from 'react';
import type { PictureUploadStore } from '../../stores/profile/profile.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { PictureInput } from '../ui/PictureInput.tsx';
import { PictureProgress } from '../ui/PictureProgress.tsx';
import { useStore } from '../ui/use-store.ts';

interface PictureDialogProps {
  isOpen: boolean;
  onClose: () => void;
  upload: PictureUploadStore;
  title: string;
  sendLabel: string;
  /** How the picture is cropped; `whole` does not crop it. */
  shape: 'circle' | 'wide' | 'whole';
  children?: ReactNode;
}

/** Chooses, previews and sends a picture. Closing drops it and cancels an upload in progress. */
export function PictureDialog({
  isOpen,
  onClose,
  upload,
  title,
  sendLabel,
  shape,
  children,
}: PictureDialogProps) {
  const picture = useStore(upload.$upload);
  const input = useRef<HTMLInputElement>(null);
  const wasSending = useRef(false);
  useEffect(() => {
    if (wasSending.current && picture.state === 'empty') onClose();
    wasSending.current = picture.state === 'sending';
  }, [picture.state, onClose]);
  useEffect(() => () => clearUnsent(upload), [upload]);
  const close = () => {
    upload.clear();
    onClose();
  };
  const problem = picture.state === 'sending' ? null : picture.problem;
  const isSending = picture.state === 'sending';
  return (
    <Dialog isOpen={isOpen} title={title} onClose={close}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void upload.send();
        }}
      >
        {children}
        <div className={`picture-frame picture-${shape}`}>
          {picture.state === 'empty' ? (
            <Icon name="camera" className="size-8" />
          ) : (
            <img src={picture.preview} alt="選んだ画像" />
          )}
        </div>
        <PictureInput ref={input} onChoose={upload.choose} />
        <p className="form-hint">.jpg、.jpeg、.png で 10MB まで</p>
        <div role="alert">
          {problem !== null && (
            <p className="form-error whitespace-pre-line">
              <Icon name="warning" className="size-5 flex-none" />
              {problem}
            </p>
          )}
        </div>
        {isSending && <PictureProgress share={picture.share} />}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={close}>
            キャンセル
          </button>
          <button
            type="button"
            className={picture.state === 'empty' ? 'button button-primary' : 'button'}
            disabled={isSending}
            onClick={() => input.current?.click()}
          >
            {picture.state === 'empty' ? '画像を選ぶ' : '選び直す'}
          </button>
          {picture.state !== 'empty' && (
            <BusyButton type="submit" className="button button-primary" isBusy={isSending}>
              {sendLabel}
            </BusyButton>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** Drops a preview; an upload in progress continues. */
function clearUnsent(upload: PictureUploadStore): void {
  if (upload.$upload.get().state !== 'sending') upload.clear();
}
