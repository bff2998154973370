import { useEffect, useState } from 'react';
import { PASSWORD_LENGTH_MIN } from '../../../contract/accounts/passwords.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { createPasswordReset } from '../../stores/account/account.ts';
import { DoneView } from '../ui/DoneView.tsx';
import { Form } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useStore } from '../ui/use-store.ts';

export function ResetPasswordForm() {
  const [reset] = useState(createPasswordReset);
  const isLinkMissing = useStore(reset.$isLinkMissing);
  const isLinkRefused = useStore(reset.$isLinkRefused);
  const form = useStore(reset.form.$form);
  useEffect(() => reset.start(), [reset]);
  if (isLinkMissing) return <LinkMissing />;
  if (form.state === 'done') return <PasswordChanged />;
  return (
    <div className="form-card">
      <h1 className="form-title">新しいパスワード</h1>
      <p className="form-lead">これから使うパスワードを決めてください。</p>
      <Form
        id="reset-password"
        logic={reset.form}
        submitLabel="パスワードを変更する"
        remedy={
          isLinkRefused && (
            <a className="link" href="/forgot-password">
              新しいメールを送る
            </a>
          )
        }
      >
        <PasswordField
          label="新しいパスワード"
          hint={`${PASSWORD_LENGTH_MIN}文字以上。`}
          autoComplete="new-password"
        />
      </Form>
    </div>
  );
}

function LinkMissing() {
  return (
    <DoneView title="リンクを開き直してください" icon="mail" isNews={false}>
      <p>
        このページは、パスワードを再設定するメールのリンクから開きます。メールのリンクをもう一度開くか、新しいメールを送ってください。
      </p>
      <a className="button button-primary form-submit" href="/forgot-password">
        新しいメールを送る
      </a>
    </DoneView>
  );
}

function PasswordChanged() {
  return (
    <DoneView title="パスワードを変更しました">
      <p>
        新しいパスワードでログインしてください。
        {isExtended() && 'ほかの端末でも、ログインし直す必要があります。'}
      </p>
      <a className="button button-primary form-submit" href="/login">
        ログインへ
      </a>
    </DoneView>
  );
}
