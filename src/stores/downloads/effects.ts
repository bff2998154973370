import type { WritableAtom } from 'nanostores';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { beginDownload, downloadSound, reportWatching } from '../../../contract/downloads/downloads.ts';
import { ApiError } from '../../../contract/calls/errors.ts';
import { readProviderNames } from '../../ads/chain.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import { within } from '../../ads/signals.ts';
import { callApi } from '../../api/browser.ts';
import { UnreadableFile, fetchFile, openFile } from '../../api/files.ts';
import { saveFile } from '../../browser/save-file.ts';
import { findNextNotice } from '../../api/notices.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { storeCertificate } from '../certificates/certificates.ts';
import { ask, openDownloadSheet, showAlert, showToast } from '../overlays/overlays.ts';
import { presentError } from '../shared/request-errors.ts';
import type { AdStage } from './ad.ts';
import { type DownloadGrant, dropGrant, findGrant, saveGrant } from './grants.ts';
import type {
  DownloadEffect,
  DownloadEvent,
  DownloadFollowUp,
  DownloadIntent,
  DownloadView,
  DownloadedSound,
} from './states.ts';

/** How long the host may take to begin a download. Without an answer, the download continues by spec §7 alone. */
const BEGIN_MS_MAX = 8_000;
/** How long the host may take to answer a report. */
const REPORT_MS_MAX = 5_000;

/** What the page shows of downloads. */
export interface DownloadScreen {
  readonly $download: WritableAtom<DownloadView | null>;
  readonly $followUp: WritableAtom<DownloadFollowUp | null>;
}

/** A download running in this tab. */
export interface Run {
  readonly sound: DownloadedSound;
  readonly screen: DownloadScreen;
  readonly ad: AdStage;
  readonly clock: Clock;
  /** Aborted when the download ends. */
  readonly signal: AbortSignal;
  readonly send: (event: DownloadEvent) => void;
  /** Waits until no other download shows prompts. */
  readonly waitForPrompt: () => Promise<void>;
}

type Performers = {
  readonly [Name in DownloadEffect['do']]: (
    self: Run,
    effect: Extract<DownloadEffect, { do: Name }>,
  ) => void | Promise<void>;
};

const PERFORMERS: Performers = {
  async 'open-sheet'({ send }) {
    const error = await openDownloadSheet().then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    send(error ? { type: 'sheet-missing', error: error.cause } : { type: 'sheet-opened' });
  },
  async 'take-turn'({ send, waitForPrompt }) {
    await waitForPrompt();
    send({ type: 'turn-came', providers: readProviderNames() });
  },
  async begin(self) {
    const intent = isExtended() ? await beginIntent(self) : null;
    self.send({ type: 'begun', at: self.clock.now(), intent });
  },
  'load-ad': ({ ad }, { names, intent }) => ad.load(names, intent),
  'show-ad': ({ ad }) => ad.show(),
  'return-to-ad': ({ ad }) => ad.returnTo(),
  'close-ad': ({ ad }) => ad.close(),
  'offer-way-out': ({ ad }, { afterMs }) => ad.offerWayOut(afterMs),
  'alert-no-ad': () => showAlert('広告が表示されませんでした。'),
  'keep-grant': ({ sound }, { grant }) => saveGrant(sound.id, grant),
  'drop-grant': ({ sound }) => dropGrant(sound.id),
  async 'request-url'({ sound, send }, { grant: { intent, provider }, log }) {
    // Other hosts only support `log`.
    const query = { log, ...(intent !== null && { intent, provider: provider ?? undefined }) };
    const event = await callApi(downloadSound, { params: { id: sound.id }, query }).then(
      ({ url, certificate = null }): DownloadEvent => ({ type: 'url', url, certificate }),
      (error: unknown): DownloadEvent => {
        if (!log || !(error instanceof ApiError) || error.status !== 409) throw error;
        const { retryAfterSec } = error;
        return {
          type: 'behind',
          retryAfterMs: retryAfterSec === undefined ? undefined : retryAfterSec * 1000,
        };
      },
    );
    send(event);
  },
  // A lost report may be why the host is behind, so it is sent again.
  async settle({ clock, send }, { grant, waitMs }) {
    await reportAgain(grant, 'begin', clock);
    await sleep(clock, waitMs);
    await reportAgain(grant, 'end', clock);
    send({ type: 'settled' });
  },
  async 'fetch-file'({ sound, clock, send }, { url, notBefore }) {
    const file = await fetchFile(url, `${sound.title} - ${sound.artist}`).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return error;
      throw toFileError(error);
    });
    if (file instanceof UnreadableFile) return send({ type: 'unreadable', url: file.url, error: file });
    if (notBefore !== null) await sleep(clock, notBefore - clock.now());
    saveFile(file);
    send({ type: 'saved' });
  },
  async 'offer-tab'({ send }, { error }) {
    const isYes = await ask({
      title: 'このページからは保存できません',
      text: 'ファイルが別のサイトにあるため、このページからは保存できませんでした。新しいタブで開いて、ブラウザーのメニューから保存してください。',
      action: '新しいタブで開く',
    });
    if (!isYes) throw toFileError(error);
    send({ type: 'tab-accepted' });
  },
  'open-tab': (_, { url }) => openFile(url),
  async 'follow-up'({ sound, screen, clock }, { notice, certificate }) {
    // A failure here must not make the download look failed.
    try {
      if (certificate !== null) addCertificate(sound, certificate, clock.now());
      await openDownloadSheet();
      await showFollowUp({ sound, notice, certificate }, screen);
    } catch (error) {
      console.error(error);
    }
  },
  'tell-failure': (_, { error }) => showFailure(error),
  // The user has been notified (src/browser/load-script.ts).
  'tell-missing': (_, { error }) => console.warn('The download could not be loaded.', error),
};

/** Runs synchronously up to the first await of the effect. An error thrown by an effect ends the download. */
export async function perform(self: Run, effect: DownloadEffect): Promise<void> {
  const act = PERFORMERS[effect.do] as (self: Run, effect: DownloadEffect) => void | Promise<void>;
  try {
    await act(self, effect);
  } catch (error) {
    const hasGrant = findGrant(self.sound.id) !== undefined;
    self.send({ type: 'failed', error, hasGrant, isGone: isGone(error) });
  }
}

/**
 * Asks our host to begin. Returns null if it does not answer or the answer is invalid: spec §7 alone also gives the
 * file, but nothing is counted. Throws `ApiError` for refusals.
 */
async function beginIntent({ sound, clock, signal }: Run): Promise<DownloadIntent | null> {
  try {
    return await within({ clock, ms: BEGIN_MS_MAX, signal }, (limited) =>
      callApi(beginDownload, { params: { id: sound.id }, signal: limited }),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
    return null;
  }
}

async function reportAgain(
  { intent: id, notice }: DownloadGrant,
  state: 'begin' | 'end',
  clock: Clock,
): Promise<void> {
  if (id === null || notice === null) return;
  await within({ clock, ms: REPORT_MS_MAX }, (signal) =>
    callApi(reportWatching, { params: { id }, body: { state, notice }, signal }),
  ).catch(() => undefined);
}

/** Errors other than `ApiError` come from fetching the file, and are only logged (spec §8). */
function toFileError(cause: unknown): Error {
  return new Error('the file was not received', { cause });
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'not-found';
}

/** Shows the refusal of the API. */
function showFailure(error: unknown): void {
  console.error('Failed to fetch the sound file.', error);
  if (!(error instanceof ApiError)) return;
  if (!isGone(error)) return void presentError(error, { toasts: 'each' });
  showToast('error', 'このサウンドは、もうダウンロードできません。公開が終わったか、削除されています。');
}

/**
 * Spec §7: an ad display follows a download. It is a notice of the operator or nothing. `seen` is the notice watched
 * for the download; a picture is shown again.
 */
async function showFollowUp(
  { notice: seen, ...rest }: DownloadFollowUp,
  { $followUp }: DownloadScreen,
): Promise<void> {
  const first: DownloadFollowUp = { ...rest, notice: isPicture(seen) ? seen : null };
  $followUp.set(first);
  if (first.notice !== null || !readProviderNames().includes('house')) return;
  const notice = await findNextNotice().catch(() => null);
  // Skip if the panel was closed, or if another download followed.
  if (isPicture(notice) && $followUp.get() === first) $followUp.set({ ...rest, notice });
}

/** Adds the download to this browser's list. */
function addCertificate({ title, artist }: DownloadedSound, id: string, nowMs: number): void {
  storeCertificate({ id, issued_at: new Date(nowMs).toISOString(), sound_title: title, artist });
}

function isPicture(notice: Notice | null): boolean {
  return notice?.kind === 'picture';
}
