import { useEffect } from 'react';
import { $codeQuestion, followCodePrompt } from './security.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { CodeField } from './CodeField.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Asks for a code of the second factor when a call needs one (decision 091). On every page of the console. */
export function CodeDialog() {
  const question = useStore($codeQuestion);
  useEffect(followCodePrompt, []);
  return (
    <Dialog isOpen={question !== null} titleId="code-title" onClose={() => $codeQuestion.get()?.close(false)}>
      {question && <Question {...question} />}
    </Dialog>
  );
}

type Question = NonNullable<ReturnType<typeof $codeQuestion.get>>;

function Question({ form, needsPassword, close }: Question) {
  return (
    <>
      <h2 id="code-title" className="text-lg">
        2段階認証
      </h2>
      <p>認証アプリに表示されている6桁のコードを入力してください。端末がないときは、回復コードを使えます。</p>
      <Form id="code" logic={form} submitLabel="続ける">
        {needsPassword && <PasswordField label="パスワード" autoComplete="current-password" />}
        <CodeField />
      </Form>
      <button type="button" className="button" onClick={() => close(false)}>
        キャンセル
      </button>
    </>
  );
}
