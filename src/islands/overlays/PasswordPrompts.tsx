import { useEffect } from 'react';
import type { FormLogic } from '../../lib/form-state.ts';
import { $passwordPrompts } from '../../stores/overlays/overlays.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Form } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useStore } from '../ui/use-store.ts';

/** Dialogs that ask for the password of the account (decision 032). Escape closes without an answer. */
export function PasswordPrompts() {
  return useStore($passwordPrompts).map(({ id, content, close }) => (
    <PasswordDialog key={id} {...content} onClose={close} />
  ));
}

interface PasswordDialogProps {
  form: FormLogic;
  email: string;
  onClose: (isGiven: boolean) => void;
}

function PasswordDialog({ form, email, onClose }: PasswordDialogProps) {
  const { state } = useStore(form.$form);
  useEffect(() => {
    if (state === 'done') onClose(true);
  }, [state, onClose]);
  return (
    <Dialog
      closesBeside={false}
      title="パスワードの確認"
      textId="password-prompt-text"
      onClose={() => onClose(false)}
    >
      <p id="password-prompt-text">
        安全のため、パスワードをもう一度入力してください。確認が済むと、変更の手続きを続けます。
      </p>
      <Form id="password-prompt" logic={form} submitLabel="続ける">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label="パスワード" autoComplete="current-password" />
      </Form>
      <button type="button" className="button" onClick={() => onClose(false)}>
        キャンセル
      </button>
      <p>
        <a className="link" href="/forgot-password" target="_blank" rel="noopener">
          パスワードを忘れたとき<span className="sr-only">（新しいタブで開きます）</span>
        </a>
      </p>
    </Dialog>
  );
}
