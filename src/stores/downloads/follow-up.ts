import { atom } from 'nanostores';
import type { Notice } from '../../../contract/ads.ts';
import { readProviderNames } from '../../ads/chain.ts';
import { findNextNotice } from '../../api/notices.ts';
import type { DownloadedSound } from './questions.ts';

/** What is shown once a file is on its way; `notice` is a picture of the operator's, which may come later. */
export interface DownloadFollowUp {
  readonly sound: DownloadedSound;
  readonly notice: Notice | null;
}

export const $followUp = atom<DownloadFollowUp | null>(null);

/**
 * Spec §7: an ad display follows a download. It is the operator's own or none, and never in the way; `seen` is
 * what was watched for the download, which need not be another one.
 */
export async function showFollowUp(sound: DownloadedSound, seen: Notice | null): Promise<void> {
  const shown: DownloadFollowUp = { sound, notice: isPicture(seen) ? seen : null };
  $followUp.set(shown);
  if (shown.notice !== null || !readProviderNames().includes('house')) return;
  const notice = await findNextNotice().catch(() => null);
  // Closed, or followed by another, since.
  if (isPicture(notice) && $followUp.get() === shown) $followUp.set({ sound, notice });
}

export function closeFollowUp(): void {
  $followUp.set(null);
}

function isPicture(notice: Notice | null): boolean {
  return notice?.kind === 'picture';
}
