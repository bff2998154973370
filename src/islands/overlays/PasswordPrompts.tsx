import { useEffect, useState } from 'react';
import type { Proof } from '../../browser/password-prompt.ts';
import { createProof } from '../../stores/account/account.ts';
import { $passwordPrompts } from '../../stores/overlays/overlays.ts';
import { $session } from '../../stores/session/session.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Form } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useStore } from '../ui/use-store.ts';

/** Dialogs that ask for the password of the account (decision 032) or for a code of the second factor (091). */
export function PasswordPrompts() {
  return useStore($passwordPrompts).map(({ id, content, close }) => (
    <PasswordDialog key={id} proof={content} onClose={close} />
  ));
}

interface PasswordDialogProps {
  proof: Proof;
  onClose: (isGiven: boolean) => void;
}

/** Escape closes without an answer. */
function PasswordDialog({ proof, onClose }: PasswordDialogProps) {
  const [form] = useState(() => createProof(proof));
  const { state } = useStore(form.$form);
  const { user } = useStore($session);
  useEffect(() => {
    if (state === 'done') onClose(true);
  }, [state, onClose]);
  return (
    <Dialog
      closesBeside={false}
      title={proof.code ? '2段階認証' : 'パスワードの確認'}
      textId="password-prompt-text"
      onClose={() => onClose(false)}
    >
      <p id="password-prompt-text">
        {proof.code
          ? '認証アプリに表示されている6桁のコードを入力してください。端末がないときは、回復コードを使えます。'
          : '安全のため、パスワードをもう一度入力してください。確認が済むと、変更の手続きを続けます。'}
      </p>
      <Form id={proof.code ? 'code' : 'password-prompt'} logic={form} submitLabel="続ける">
        {/* Password managers look the password up by this address. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={user?.email ?? ''}
          readOnly
          hidden
        />
        {proof.password && <PasswordField label="パスワード" autoComplete="current-password" />}
        {proof.code && <CodeField />}
      </Form>
      <button type="button" className="button" onClick={() => onClose(false)}>
        キャンセル
      </button>
      {!proof.code && (
        <p>
          <a className="link" href="/forgot-password" target="_blank" rel="noopener">
            パスワードを忘れたとき<span className="sr-only">（新しいタブで開きます）</span>
          </a>
        </p>
      )}
    </Dialog>
  );
}
