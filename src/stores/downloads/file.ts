import { downloadSound, reportWatching } from '../../../contract/downloads.ts';
import { ApiError } from '../../../contract/errors.ts';
import { pass } from '../../ads/clock.ts';
import type { AdClock } from '../../ads/provider.ts';
import { within } from '../../ads/signals.ts';
import { callApi } from '../../api/browser.ts';
import { UnreadableFile, fetchFile, openFile, saveFile } from '../../api/files.ts';
import { type DownloadGrant, keepGrant } from './grants.ts';
import type { DownloadedSound } from './questions.ts';
import { ask } from '../overlays/overlays.ts';

/** Spec §9: from the grant to the file. */
const GRANT_TO_FILE_MS = 500;
/** How often a host whose clock is behind is asked again, and after what when it does not say. */
const SETTLE_TRIES = 5;
const SETTLE_MS = 2_000;
/** A host that wants more is asked sooner; so long may it take to hear a report. */
const SETTLE_MS_MAX = 5_000;

export interface DeliveryOptions {
  readonly sound: DownloadedSound;
  readonly grant: DownloadGrant;
  readonly clock: AdClock;
  /** Told while the host's clock is behind. */
  readonly onSettling: () => void;
  /** The host has said where the file is. */
  readonly onFetching: () => void;
}

/** Asks for a sound's file and hands it to the browser's own download. Throws `ApiError` for what the API refuses. */
export async function deliverFile(options: DeliveryOptions): Promise<void> {
  const { sound, grant, clock } = options;
  const isReward = grant.isRewarded && !grant.isLogged;
  const grantedAt = clock.now();
  const url = isReward ? await requestReward(options) : await requestUrl(options, false);
  keepGrant(sound.id, { ...grant, isLogged: grant.isRewarded });
  options.onFetching();
  const file = await fetchFile(url, `${sound.title} - ${sound.artist}`).catch(async (cause: unknown) => {
    if (cause instanceof UnreadableFile && (await offerFile(cause))) return null;
    // No answer of the API's: nobody is told what its status says (spec §8).
    throw new Error('the file did not come', { cause });
  });
  if (file === null) return;
  if (isReward) await pass(clock, grantedAt + GRANT_TO_FILE_MS - clock.now());
  saveFile(file);
}

/** What a page may not read a person may still open. Returns whether they did. */
async function offerFile({ url }: UnreadableFile): Promise<boolean> {
  const isYes = await ask({
    title: 'このページからは保存できません',
    text: 'ファイルが別のサイトにあるため、このページからは保存できませんでした。新しいタブで開いて、ブラウザーのメニューから保存してください。',
    action: '新しいタブで開く',
  });
  if (isYes) openFile(url);
  return isYes;
}

async function requestUrl({ sound, grant }: DeliveryOptions, log: boolean): Promise<string> {
  const { intent, provider } = grant;
  const { url } = await callApi(downloadSound, {
    params: { id: sound.id },
    // Another host knows `log` alone.
    query: { log, ...(intent !== null && { intent, provider: provider ?? undefined }) },
  });
  return url;
}

/** Waits where the host's clock is behind ours; one that stays behind costs the credit, never the file. */
async function requestReward(options: DeliveryOptions): Promise<string> {
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    try {
      return await requestUrl(options, true);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      options.onSettling();
      await tellWatching(options, 'begin');
      const askedMs = error.retryAfterSec === undefined ? SETTLE_MS : error.retryAfterSec * 1000;
      await pass(options.clock, Math.min(askedMs, SETTLE_MS_MAX));
      await tellWatching(options, 'end');
    }
  }
  return requestUrl(options, false);
}

/** A report that was lost on its way is why the host's clock is behind: it is made once more. */
async function tellWatching({ grant, clock }: DeliveryOptions, state: 'begin' | 'end'): Promise<void> {
  const { intent: id, notice } = grant;
  if (id === null || notice === null) return;
  await within({ clock, ms: SETTLE_MS_MAX }, (signal) =>
    callApi(reportWatching, { params: { id }, body: { state, notice }, signal }),
  ).catch(() => undefined);
}
