import type { AdProviderName, Notice } from '../../../contract/ads.ts';
import { readProviderNames } from '../../ads/chain.ts';
import { systemClock } from '../../ads/clock.ts';
import { joinSignals } from '../../ads/signals.ts';
import { hasCapability } from '../../lib/capabilities.ts';
import { openDownloadSheet, showAlert, showToast } from '../overlays/overlays.ts';
import { earnDownload, hasAds } from './ad.ts';
import { type DownloadIntent, MissingScript, beginIntent, tellFailure } from './begin.ts';
import { deliverFile } from './file.ts';
import { showFollowUp } from './follow-up.ts';
import { type DownloadGrant, dropGrant, findGrant, keepGrant } from './grants.ts';
import { TAKEN, withDownloadLock } from './lock.ts';
import { $download, type DownloadedSound, askDownload } from './questions.ts';

/** `again`: the file did not come, and a press fetches it without another advertisement. */
export type DownloadOutcome = 'done' | 'left' | 'again';

const clock = systemClock;
/** One after the other: two prompts at once would answer for each other. */
let lastTurn: Promise<unknown> = Promise.resolve();
let asking = 0;

/**
 * The whole of a download, from the press to the file (spec §2, §4, §7, §8). Rejects only when what it shows
 * could not be loaded.
 */
export async function runDownload(sound: DownloadedSound): Promise<DownloadOutcome> {
  const outcome = await withDownloadLock(sound.id, () =>
    download(sound).catch((error: unknown) => {
      if (error instanceof MissingScript) throw error;
      const isGone = tellFailure(error);
      return findGrant(sound.id) && !isGone ? 'again' : 'left';
    }),
  );
  if (outcome !== TAKEN) return outcome;
  showToast('blank', 'このサウンドは、別のタブでダウンロード中です。');
  return 'left';
}

async function download(sound: DownloadedSound): Promise<DownloadOutcome> {
  const earned = await findRight(sound);
  if (earned === null) return 'left';
  const { grant, notice } = earned;
  await deliver(sound, grant);
  if (!grant.isRewarded) dropGrant(sound.id);
  // What comes after a file must not make it look lost, nor keep anybody waiting.
  void openDialog()
    .then(() => showFollowUp(sound, notice))
    .catch((error: unknown) => console.error(error));
  return 'done';
}

/** Says what is waited for; who closes that has the file come behind their back. */
async function deliver(sound: DownloadedSound, grant: DownloadGrant): Promise<void> {
  const settled = new AbortController();
  let isClosed = false;
  const onSettling = () => {
    if (asking > 0 || isClosed || $download.get()?.state === 'settling') return;
    void askDownload({ state: 'settling', sound }, () => true, settled.signal).then(() => {
      if (settled.signal.aborted) return;
      isClosed = true;
      tellFetching(sound);
    });
  };
  const onFetching = () => {
    settled.abort();
    tellFetching(sound);
  };
  tellFetching(sound);
  try {
    await deliverFile({ sound, grant, clock, onSettling, onFetching });
  } finally {
    settled.abort();
    if ($download.get()?.sound.id === sound.id) $download.set(null);
  }
}

/** Never in place of what another download asks. */
function tellFetching(sound: DownloadedSound): void {
  if (asking === 0) $download.set({ state: 'fetching', sound });
}

interface Right {
  readonly grant: DownloadGrant;
  /** What was seen for it, where it was the operator's own. */
  readonly notice: Notice | null;
}

/** The right to the file: kept from before, given by the host, or earned now; null: the person has left. */
async function findRight(sound: DownloadedSound): Promise<Right | null> {
  const kept = findGrant(sound.id);
  const isHostCounting = hasCapability('download-intents');
  // A host that counts knows by itself what it has been told of.
  if (kept && !(isHostCounting && kept.isLogged)) return { grant: kept, notice: null };
  const gone = new AbortController();
  const { signal } = gone;
  const leave = () => gone.abort();
  document.addEventListener('astro:before-swap', leave);
  try {
    const begin = (ending: AbortSignal) =>
      isHostCounting ? beginIntent(sound, { clock, signal: ending }) : Promise.resolve(null);
    if (kept) {
      const intent = await begin(signal);
      if (signal.aborted) return null;
      // A host may have forgotten whom it granted what; nobody sees a second advertisement for that.
      const grant = { ...toUnrewarded(intent), at: kept.at, isRewarded: true, isLogged: true };
      return { grant, notice: null };
    }
    await openDialog();
    const turn = lastTurn.then(() => askForRight(sound, begin, signal));
    lastTurn = turn.catch(() => undefined);
    return await turn;
  } finally {
    document.removeEventListener('astro:before-swap', leave);
  }
}

/** The person agrees, and only then the host hears of it: prompts that were cancelled are no downloads. */
async function askForRight(
  sound: DownloadedSound,
  begin: (signal: AbortSignal) => Promise<DownloadIntent | null>,
  signal: AbortSignal,
): Promise<Right | null> {
  if (signal.aborted) return null;
  const providers = readProviderNames();
  asking += 1;
  try {
    const isAsked = hasAds(providers);
    if (isAsked && !(await askDownload({ state: 'asking', sound }, () => true, signal))) return null;
    const intent = await (isAsked ? showPreparing(sound, begin, signal) : begin(signal));
    if (intent === 'left' || signal.aborted) return null;
    // Seen within a day, perhaps on another device: nobody sees it again.
    if (intent?.is_granted) return { grant: toUnrewarded(intent), notice: null };
    return await earnRight(sound, intent, { providers, signal });
  } finally {
    asking -= 1;
    $download.set(null);
  }
}

/** What `begin` comes to, unless the person leaves meanwhile. */
async function showPreparing(
  sound: DownloadedSound,
  begin: (signal: AbortSignal) => Promise<DownloadIntent | null>,
  signal: AbortSignal,
): Promise<DownloadIntent | null | 'left'> {
  const over = new AbortController();
  const ending = joinSignals(signal, over.signal);
  let hasLeft = false;
  void askDownload({ state: 'preparing', sound }, () => true, ending).then((isYes) => {
    if (over.signal.aborted || isYes !== null) return;
    hasLeft = true;
    over.abort();
  });
  try {
    const intent = await begin(ending);
    return hasLeft || signal.aborted ? 'left' : intent;
  } catch (error) {
    if (hasLeft || signal.aborted) return 'left';
    throw error;
  } finally {
    over.abort();
  }
}

async function earnRight(
  sound: DownloadedSound,
  intent: DownloadIntent | null,
  { providers, signal }: { readonly providers: readonly AdProviderName[]; readonly signal: AbortSignal },
): Promise<Right | null> {
  const unrewarded = toUnrewarded(intent);
  const result = await earnDownload({ sound, providers, intent: unrewarded.intent, clock, signal });
  if (result.kind === 'left') return null;
  // Nobody waits for the answer: the file comes whether the alert is read or not (spec §8).
  if (result.kind === 'no-ad') showAlert('広告が表示されませんでした。');
  const grant: DownloadGrant =
    result.kind === 'no-ad'
      ? { ...unrewarded, provider: 'none' }
      : { ...unrewarded, isRewarded: true, provider: result.provider, notice: result.notice?.id ?? null };
  keepGrant(sound.id, grant);
  return { grant, notice: result.kind === 'granted' ? result.notice : null };
}

function toUnrewarded(intent: DownloadIntent | null): DownloadGrant {
  return {
    at: clock.now(),
    isRewarded: false,
    isLogged: false,
    intent: intent?.id ?? null,
    provider: null,
    notice: null,
  };
}

/** Loads while the host is asked. */
function openDialog(): Promise<void> {
  return openDownloadSheet().catch((cause: unknown) => {
    throw new MissingScript('what a download shows did not load', { cause });
  });
}
