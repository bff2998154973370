import { type ReactNode, useState } from 'react';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { cancelEmailChange, cancelMessageEmail, resendMessageEmail } from '../../stores/profile/profile.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Icon } from '../ui/Icon.tsx';

/** A pending new address: its state, and a way to cancel it. */
export function PendingEmail({ profile }: { profile: Profile | undefined }) {
  if (!profile?.pending_email) return null;
  return (
    <Pending address={profile.pending_email} cancel={() => cancelEmailChange(profile.email)}>
      の確認を待っています。届いたメールのリンクを開くと変更されます。それまでは今のアドレスのままです。
    </Pending>
  );
}

/** A pending address for messages, as `PendingEmail`. Only hosts that confirm this address report one. */
export function PendingMessageEmail({ profile }: { profile: Profile | undefined }) {
  const waiting = profile?.pending_message_email;
  if (!waiting) return null;
  return (
    <Pending
      address={waiting}
      cancel={() => cancelMessageEmail(profile.message_email)}
      resend={() => resendMessageEmail(waiting)}
    >
      の確認を待っています。届いたメールのリンクを開くと、メッセージがこの宛先に届きます。
      {profile.message_email === ''
        ? 'それまでは、メッセージを受け取りません。'
        : 'それまでは、今の宛先に届きます。'}
    </Pending>
  );
}

interface PendingProps {
  address: string;
  /** Resolves to whether the change was cancelled. */
  cancel: () => Promise<boolean>;
  /** Resends the mail, if the host supports it. */
  resend?: () => Promise<unknown>;
  children: ReactNode;
}

function Pending({ address, cancel, resend, children }: PendingProps) {
  return (
    <div className="form-note mt-2 grid gap-2">
      <p className="flex gap-2">
        <Icon name="mail" className="mt-0.5 size-5 flex-none" />
        <span className="min-w-0 wrap-anywhere">
          <strong>{address}</strong> {children}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {resend && <ResendButton resend={resend} />}
        <button
          type="button"
          className="button"
          onClick={({ currentTarget }) => {
            // The button is removed with its notice, so focus moves to the row's edit button.
            const edit = currentTarget.closest('.field-row')?.querySelector<HTMLElement>('.icon-button');
            void cancel().then((isCancelled) => isCancelled && edit?.focus());
          }}
        >
          変更を取り消す
        </button>
      </div>
    </div>
  );
}

/** A second press while the first is sent would send another mail. */
function ResendButton({ resend }: { resend: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const press = () => {
    if (isBusy) return;
    setBusy(true);
    void resend().finally(() => setBusy(false));
  };
  return (
    <BusyButton className="button" isBusy={isBusy} onClick={press}>
      メールを再送する
    </BusyButton>
  );
}
