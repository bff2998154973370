import type { Profile } from '../../../contract/profile.ts';
import { cancelEmailChange } from '../../stores/email-change.ts';
import { Icon } from '../ui/Icon.tsx';

/** A new address that does not count yet: where it stands, and the way back. */
export function PendingEmail({ profile }: { profile: Profile | undefined }) {
  if (!profile?.pending_email) return null;
  return (
    <div className="form-note mt-2 grid gap-2">
      <p className="flex gap-2">
        <Icon name="mail" className="mt-0.5 size-5 flex-none" />
        <span>
          <strong>{profile.pending_email}</strong>{' '}
          の確認を待っています。届いたメールのリンクを開くと変更されます。それまでは今のアドレスのままです。
        </span>
      </p>
      <button
        type="button"
        className="button justify-self-start"
        onClick={({ currentTarget }) => {
          // The button goes with its note; the way on is the row's own.
          const edit = currentTarget.closest('.field-row')?.querySelector<HTMLElement>('.icon-button');
          void cancelEmailChange(profile.email).then((isCancelled) => isCancelled && edit?.focus());
        }}
      >
        変更を取り消す
      </button>
    </div>
  );
}
