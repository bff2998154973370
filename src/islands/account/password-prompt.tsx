import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Form, type FormLogic } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

interface PasswordPromptOptions {
  /** Takes the password to the host. */
  readonly form: FormLogic;
  /** Whose password it is: password managers look it up by this. */
  readonly email: string;
  /** Closes the dialog from outside. */
  readonly signal: AbortSignal;
}

/** Asks for the password in a dialog; whether the host has taken it. Escape means no. */
export function openPasswordPrompt({ form, email, signal }: PasswordPromptOptions): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = (isGiven: boolean) => {
      signal.removeEventListener('abort', cancel);
      root.unmount();
      place.remove();
      resolve(isGiven);
    };
    const cancel = () => close(false);
    signal.addEventListener('abort', cancel);
    root.render(<PasswordDialog form={form} email={email} onClose={close} />);
  });
}

interface PasswordDialogProps {
  form: FormLogic;
  email: string;
  onClose: (isGiven: boolean) => void;
}

function PasswordDialog({ form, email, onClose }: PasswordDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { state } = useStore(form.$form);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (state === 'done') dialog.current?.close('given');
  }, [state]);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby="password-prompt-title"
      aria-describedby="password-prompt-text"
      onClose={(event) => onClose(event.currentTarget.returnValue === 'given')}
    >
      <div className="dialog-body">
        <h2 id="password-prompt-title" className="text-lg">
          パスワードの確認
        </h2>
        <p id="password-prompt-text">
          安全のため、パスワードをもう一度入力してください。確認が済むと、変更の手続きを続けます。
        </p>
        <Form id="password-prompt" logic={form} submitLabel="続ける">
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField label="パスワード" autoComplete="current-password" />
        </Form>
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          キャンセル
        </button>
        <p>
          <a className="link" href="/forgot-password" target="_blank" rel="noopener">
            パスワードを忘れたとき<span className="sr-only">（新しいタブで開きます）</span>
          </a>
        </p>
      </div>
    </dialog>
  );
}
