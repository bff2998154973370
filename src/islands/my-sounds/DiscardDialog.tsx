import { Dialog } from '../ui/Dialog.tsx';

interface DiscardDialogProps {
  isOpen: boolean;
  onBack: () => void;
  onDiscard: () => void;
}

/** Initial focus of the dialog: pressing Enter immediately must not lose text. React sets no attribute. */
const markFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

/** Asks before typed text is discarded. */
export function DiscardDialog({ isOpen, onBack, onDiscard }: DiscardDialogProps) {
  return (
    <Dialog isOpen={isOpen} titleId="discard-title" onClose={onBack}>
      <h2 id="discard-title" className="text-lg">
        保存していない変更があります
      </h2>
      <p>このまま閉じると、変更は失われます。</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onDiscard}>
          変更を破棄する
        </button>
        <button ref={markFirst} type="button" className="button button-primary" onClick={onBack}>
          編集に戻る
        </button>
      </div>
    </Dialog>
  );
}
