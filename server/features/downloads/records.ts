import { toDay } from '../../../contract/values/months.ts';
import { toNetworkSubject } from '../visitors/member-traces.ts';
import type { AddressHashes } from '../visitors/addresses.ts';
import { SITE_SUBJECT, addDownload, readDownloads, toProviderSubject } from './counts.ts';
import type { DownloadLimits } from './limits.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** What is capped, as multiples of `recordsPer…`. */
const CAPS = {
  /** Begun downloads: an intent, which is deleted after a day. */
  begun: 100,
  /** Completed ones: a certificate and a credit, which stay. After an advertisement, or where none is shown. */
  rewarded: 10,
  /** Completed ones without the host's advertisement: easy to claim, so they must leave room for the others. */
  unrewarded: 1,
} as const;
export type RecordKind = keyof typeof CAPS;

/**
 * Counts a download that is about to be stored, and returns true; false once today's cap of its network, provider or the
 * site is reached, which stores nothing. The file is sent all the same. Calls at the same time may exceed a cap by their
 * number, unless they hold `lockCredits`.
 */
export async function takeRoom(
  db: Handle,
  kind: RecordKind,
  address: AddressHashes,
  { recordsPerNetwork, recordsPerProvider, recordsPerSite }: DownloadLimits,
  nowMs: number,
): Promise<boolean> {
  const caps = new Map([
    [`${kind} ${toNetworkSubject(address)}`, recordsPerNetwork],
    [`${kind} ${toProviderSubject(address)}`, recordsPerProvider],
    [`${kind} ${SITE_SUBJECT}`, recordsPerSite],
  ]);
  const subjects = [...caps.keys()];
  const day = toDay(nowMs);
  const counts = await readDownloads(db, subjects, day);
  if (counts.some(({ subject, downloads }) => downloads >= CAPS[kind] * (caps.get(subject) ?? 0)))
    return false;
  await addDownload(db, subjects, day);
  return true;
}
