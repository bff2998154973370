import { useMemo, useState } from 'react';
import { CONTACT_LENGTH_MAX } from '../../../contract/site/contact.ts';
import { createContact } from '../../stores/messages/messages.ts';
import { $session } from '../../stores/session/session.ts';
import { DoneView } from '../ui/DoneView.tsx';
import { Form } from '../ui/Form.tsx';
import { TextAreaField } from '../ui/TextAreaField.tsx';
import { EmailField, TextField } from '../ui/TextField.tsx';
import { useStore } from '../ui/use-store.ts';

export function ContactForm() {
  const [logic] = useState(createContact);
  const form = useStore(logic.$form);
  const { user } = useStore($session);
  const defaults = useMemo(() => (user ? { name: user.username, email: user.email } : {}), [user]);
  if (form.state === 'done') return <Sent email={String(form.sent['email'])} />;
  return (
    <div className="form-card">
      <h1 className="form-title">お問い合わせ</h1>
      <p className="form-lead">ご質問やご意見をお送りください。運営者がメールでお返事します。</p>
      <Form id="contact" logic={logic} defaults={defaults} submitLabel="送信する">
        <TextField name="name" label="お名前" autoComplete="name" enterKeyHint="next" />
        <EmailField
          name="email"
          hint="お返事をお送りするアドレスです。"
          autoComplete="email"
          enterKeyHint="next"
        />
        <TextAreaField name="message" label="お問い合わせの内容" lengthMax={CONTACT_LENGTH_MAX} />
      </Form>
    </div>
  );
}

function Sent({ email }: { email: string }) {
  return (
    <DoneView title="お問い合わせを受け付けました">
      <p>
        ありがとうございます。内容を確認し、<strong>{email}</strong> にお返事をお送りします。
      </p>
      <a className="button form-submit" href="/">
        トップページへ
      </a>
    </DoneView>
  );
}
