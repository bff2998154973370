import { MESSAGE_LENGTH_MAX } from '../../../contract/artists/messages.ts';
import type { FormLogic } from '../../lib/form-state.ts';
import { canShareEmail } from '../../stores/messages/messages.ts';
import { $session } from '../../stores/session/session.ts';
import { CheckboxField } from '../ui/CheckboxField.tsx';
import { Form } from '../ui/Form.tsx';
import { TextAreaField } from '../ui/TextAreaField.tsx';
import { useStore } from '../ui/use-store.ts';

/** The artist can answer members who share their own address; visitors enter one. */
export function MessageForm({ form, onClose }: { form: FormLogic; onClose: () => void }) {
  const { user } = useStore($session);
  const isValid = useStore(form.$isValid);
  return (
    <Form
      id="message"
      logic={form}
      isReady={isValid}
      icon="mail"
      submitLabel="送信する"
      busyLabel="送信中..."
      actions={
        <button type="button" className="button" onClick={onClose}>
          閉じる
        </button>
      }
    >
      <TextAreaField
        name="text"
        label="メッセージ"
        hint="アーティストにメールで届きます。"
        lengthMax={MESSAGE_LENGTH_MAX}
      />
      {canShareEmail() ? (
        <CheckboxField name="share_email" isOptional>
          返信用に、自分のメールアドレス{user?.email && `（${user.email}）`}を伝える
        </CheckboxField>
      ) : (
        <p className="form-hint">返信が必要なときは、連絡先を本文に書いてください。</p>
      )}
    </Form>
  );
}
