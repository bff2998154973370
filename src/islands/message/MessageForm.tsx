import type { FormEvent } from 'react';
import { MESSAGE_LENGTH_MAX } from '../../../contract/messages.ts';
import { formatCount } from '../../lib/format.ts';
import { NO_SESSION } from '../../lib/session.ts';
import { useShared } from '../../lib/use-shared.ts';
import { canSend, canShareEmail, countCharacters } from '../../stores/messages/messages.ts';
import { $session } from '../../stores/session/session.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldError, RequiredMark } from '../ui/FieldFrame.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { sendOnCtrlEnter } from '../ui/send-keys.ts';

interface MessageFormProps {
  isSending: boolean;
  text: string;
  problems: readonly string[];
  onWrite: (text: string) => void;
  onSend: (options: { isEmailShared: boolean }) => Promise<void>;
  onClose: () => void;
}

export function MessageForm({ isSending, text, problems, onWrite, onSend, onClose }: MessageFormProps) {
  const length = countCharacters(text);
  const isOver = length > MESSAGE_LENGTH_MAX;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onSend({ isEmailShared: new FormData(event.currentTarget).has('share_email') });
  };
  return (
    <form className="form" method="post" noValidate onSubmit={submit}>
      <div className="form-field">
        <label htmlFor="message-text" className="form-label">
          メッセージ
          <RequiredMark />
        </label>
        <p id="message-hint" className="form-hint">
          アーティストにメールで届きます。
        </p>
        <textarea
          id="message-text"
          className="field form-area"
          rows={6}
          required
          readOnly={isSending}
          value={text}
          aria-describedby={`message-hint message-count${isOver ? ' message-error' : ''}`}
          aria-invalid={isOver}
          onChange={(event) => onWrite(event.currentTarget.value)}
          onKeyDown={sendOnCtrlEnter}
        />
        <CharacterCount id="message-count" length={length} lengthMax={MESSAGE_LENGTH_MAX} />
        <FieldError
          id="message-error"
          error={isOver ? `${formatCount(length - MESSAGE_LENGTH_MAX)}文字減らしてください。` : undefined}
        />
      </div>
      <Answer />
      <div role="alert" className="contents">
        <ProblemNote problems={problems} />
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          閉じる
        </button>
        {/* Stays focusable while sending, so that focus is not lost; the store ignores a second press. */}
        <button
          type="submit"
          className="button button-primary"
          disabled={!canSend(text)}
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
        >
          <Icon name="mail" className="size-5" />
          {isSending ? '送信中...' : '送信する'}
        </button>
      </div>
    </form>
  );
}

/** How the artist can answer: members can share their own address, visitors enter one. */
function Answer() {
  const { user } = useShared($session, NO_SESSION);
  if (!canShareEmail()) {
    return <p className="form-hint">返信が必要なときは、連絡先を本文に書いてください。</p>;
  }
  return (
    <label className="form-check">
      <input type="checkbox" name="share_email" />
      <span>返信用に、自分のメールアドレス{user?.email && `（${user.email}）`}を伝える</span>
    </label>
  );
}
