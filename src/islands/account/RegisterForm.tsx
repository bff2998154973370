import { useState } from 'react';
import * as v from 'valibot';
import { RegistrationSchema } from '../../../contract/accounts/accounts.ts';
import { PASSWORD_LENGTH_MIN } from '../../../contract/accounts/passwords.ts';
import { USERNAME_LENGTH_MAX, USERNAME_LENGTH_MIN } from '../../../contract/accounts/username-lengths.ts';
import { register } from '../../stores/account/account.ts';
import { createForm } from '../../stores/shared/form.ts';
import { Form } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { TermsField } from '../ui/TermsField.tsx';
import { EmailField, TextField } from '../ui/TextField.tsx';
import { AccountTabs } from './AccountTabs.tsx';
import { Registered } from './Registered.tsx';
import { useStore } from '../ui/use-store.ts';

/** Spec §5. The consent is for this screen and is not sent to the host. */
const RegistrationFormSchema = v.object({
  ...RegistrationSchema.entries,
  terms: v.literal(true, 'You must accept the terms and conditions'),
});

export function RegisterForm({ isExtended }: { isExtended: boolean }) {
  const [logic] = useState(() =>
    createForm({
      schema: RegistrationFormSchema,
      draft: 'register',
      send: ({ username, email, password }) => register({ username, email, password }),
    }),
  );
  const form = useStore(logic.$form);
  if (form.state === 'done') return <Registered email={String(form.sent['email'])} />;
  return (
    <div className="form-card">
      <AccountTabs current="register" canRegister />
      <h1 className="form-title">アカウントを作る</h1>
      <p className="form-lead">登録は無料です。入力のあと、確認のメールをお送りします。</p>
      <Form id="register" logic={logic} submitLabel="登録する">
        <TextField
          name="username"
          label="ユーザー名"
          hint={
            <>
              サイトに表示される名前です。
              {isExtended && (
                <>
                  {`${USERNAME_LENGTH_MIN}〜${USERNAME_LENGTH_MAX}文字で、ひらがな、カタカナ、漢字、英数字、空白、記号`}
                  <span className="whitespace-nowrap">（_ - . & ・）</span>が使えます。
                </>
              )}
            </>
          }
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
        />
        {/* Members log in with their address, so password managers should store it. */}
        <EmailField
          name="email"
          hint="ログインに使います。公開されません。"
          autoComplete="username"
          enterKeyHint="next"
        />
        <PasswordField
          label="パスワード"
          hint={`${PASSWORD_LENGTH_MIN}文字以上。`}
          autoComplete="new-password"
        />
        <TermsField name="terms" />
      </Form>
    </div>
  );
}
