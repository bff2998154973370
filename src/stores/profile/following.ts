import type { Profile } from '../../../contract/accounts/profile.ts';
import { $profile, reloadProfile } from './query.ts';
import { showToast } from '../overlays/overlays.ts';

/** When the profile is read again while the quality check is pending; the last interval repeats. */
const READ_AFTER_MS = [15_000, 30_000, 60_000, 120_000, 300_000] as const;
/** Minimum interval between reads on returning to the tab. */
const RETURN_AFTER_MS = 15_000;

/**
 * Reads the profile again while the staff review a quality check, and on return to the tab while anything is pending.
 * Reports decisions. Does not read in a hidden tab or for visitors. Returns the function that stops it.
 */
export function followProfile(): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let readAtMs = Date.now();
  let current: Profile | undefined;

  function plan(): void {
    clearTimeout(timer);
    if (!isCheckPending(current) || document.hidden) return;
    timer = setTimeout(
      () => {
        tries += 1;
        read();
        plan();
      },
      READ_AFTER_MS[tries] ?? READ_AFTER_MS.at(-1),
    );
  }

  function read(): void {
    readAtMs = Date.now();
    reloadProfile();
  }

  function onVisibility(): void {
    tries = 0;
    if (!document.hidden && hasWaiting(current) && Date.now() - readAtMs >= RETURN_AFTER_MS) read();
    plan();
  }

  const stop = $profile.subscribe(({ data }) => {
    const before = current;
    current = data;
    if (isCheckPending(before) === isCheckPending(data)) return;
    if (data && before?.id === data.id && isCheckPending(before)) announceDecision(data);
    tries = 0;
    plan();
  });
  document.addEventListener('visibilitychange', onVisibility, { signal: controller.signal });
  return () => {
    controller.abort();
    stop();
    clearTimeout(timer);
  };
}

function isCheckPending(profile: Profile | undefined): boolean {
  return profile?.status === 'pending' && !profile.is_verified;
}

/** Whether a decision is pending elsewhere: with the staff, or with a link in a mail. */
function hasWaiting(profile: Profile | undefined): boolean {
  if (!profile) return false;
  const { personal_info_status, transfer_request, pending_email, pending_message_email } = profile;
  return (
    isCheckPending(profile) ||
    personal_info_status === 'pending' ||
    transfer_request !== undefined ||
    pending_email !== undefined ||
    pending_message_email !== undefined
  );
}

function announceDecision({ is_verified, quality_check }: Profile): void {
  if (is_verified) showToast('success', 'クオリティチェックに合格しました。サウンドをアップロードできます。');
  // Other hosts only report that it is not pending.
  else if (quality_check?.state === 'rejected')
    showToast('error', 'クオリティチェックは合格になりませんでした。理由をご確認ください。');
}
