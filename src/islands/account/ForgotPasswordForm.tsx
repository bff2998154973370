import { useState } from 'react';
import * as v from 'valibot';
import { EmailSchema } from '../../../contract/values/emails.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { requestPasswordReset } from '../../stores/account/account.ts';
import { createForm } from '../../stores/shared/form.ts';
import { DoneView } from '../ui/DoneView.tsx';
import { Form } from '../ui/Form.tsx';
import { EmailField } from '../ui/TextField.tsx';
import { useStore } from '../ui/use-store.ts';

/** Shows the same text for every address, so that it does not disclose who is a member. */
export function ForgotPasswordForm() {
  const [logic] = useState(() =>
    createForm({
      schema: v.object({ email: EmailSchema }),
      draft: 'forgot-password',
      send: ({ email }) => requestPasswordReset(email),
    }),
  );
  const form = useStore(logic.$form);
  if (form.state === 'done') return <Requested email={String(form.sent['email'])} />;
  return (
    <div className="form-card">
      <h1 className="form-title">パスワードの再設定</h1>
      <p className="form-lead">
        登録したメールアドレスを入力してください。新しいパスワードを決めるためのリンクをお送りします。
      </p>
      <Form id="forgot-password" logic={logic} submitLabel="メールを送る">
        <EmailField name="email" autoComplete="email" enterKeyHint="send" />
      </Form>
      <p className="form-after">
        <a className="link" href="/login">
          ログインに戻る
        </a>
      </p>
    </div>
  );
}

function Requested({ email }: { email: string }) {
  return (
    <DoneView title="メールをご確認ください" icon="mail">
      <p>
        <strong>{email}</strong>
        {' のアカウントがあれば、パスワードを再設定するためのメールを送りました。'}
        {isExtended() && 'リンクは30分のあいだ使えます。'}
      </p>
      <div className="form-help">
        <h2>メールが届かないとき</h2>
        <ul>
          <li>数分かかることがあります。迷惑メールのフォルダーもご確認ください。</li>
          <li>別のアドレスで登録していないか、お確かめください。</li>
        </ul>
      </div>
      <a className="button form-submit" href="/login">
        ログインへ
      </a>
    </DoneView>
  );
}
