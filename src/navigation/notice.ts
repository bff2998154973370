import type { Task } from './tasks.ts';

/** Why a navigation takes long: no answer yet, or an attempt failed and is repeated. */
export type Delay = 'slow' | 'retrying';

const BEFORE = '表示しているのは前の検索結果です。';
const TEXTS: Readonly<Record<Delay, Readonly<Record<Task, string>>>> = {
  slow: {
    page: '読み込みに時間がかかっています。',
    more: '読み込みに時間がかかっています。',
    listing: `検索に時間がかかっています。${BEFORE}`,
    search: `検索に時間がかかっています。${BEFORE}`,
  },
  retrying: {
    page: 'うまく読み込めなかったため、もう一度試しています。',
    more: 'うまく読み込めなかったため、もう一度試しています。',
    listing: `うまく検索できなかったため、もう一度試しています。${BEFORE}`,
    search: `うまく検索できなかったため、もう一度試しています。${BEFORE}`,
  },
};

/** Spec §9: a navigation that takes longer than this shows the bar, with a minimum display time. */
const BAR_AFTER_MS = 1000;
const BAR_AT_LEAST_MS = 500;

let barTimer: ReturnType<typeof setTimeout> | undefined;
let barSince: number | null = null;

/** Shows that a navigation is under way: at what was pressed, and by the bar if it takes long. */
export function showBusy(task: Task): void {
  removeNotice();
  clearTimeout(barTimer);
  barTimer = setTimeout(toggleBar, BAR_AFTER_MS, true);
  markBusy(task, true);
}

/** Shows that nothing is under way, or that it has arrived. */
export function showDone(task: Task | null): void {
  removeNotice();
  clearTimeout(barTimer);
  if (barSince !== null)
    barTimer = setTimeout(toggleBar, barSince + BAR_AT_LEAST_MS - performance.now(), false);
  if (task) markBusy(task, false);
}

/** Says why a navigation takes long. `retry` begins another attempt at once. */
export function showDelay(task: Task, delay: Delay, retry: () => void): void {
  // The old results stay readable during a longer wait.
  document.getElementById('cards')?.classList.remove('opacity-60');
  showNotice(TEXTS[delay][task], 'status', retry);
}

/** Says why a navigation has failed. The page stays as it is. */
export function showFailure(task: Task, text: string, retry: () => void): void {
  showDone(task);
  showNotice(text, 'alert', retry);
}

function toggleBar(isShown: boolean): void {
  barSince = isShown ? performance.now() : null;
  document.getElementById('progress')?.toggleAttribute('hidden', !isShown);
}

function markBusy(task: Task, isBusy: boolean): void {
  if (task === 'page') return;
  const busy = document.getElementById(task === 'more' ? 'more' : 'results');
  if (busy) busy.ariaBusy = isBusy ? 'true' : null;
  if (task !== 'more') document.getElementById('cards')?.classList.toggle('opacity-60', isBusy);
  else if (busy?.matches('a')) busy.textContent = isBusy ? 'Loading...' : 'もっと見る';
}

function showNotice(text: string, role: 'status' | 'alert', retry: () => void): void {
  const notice = document.getElementById('navigation-notice') ?? createNotice();
  const line = document.createElement('p');
  line.role = role;
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button', textContent: 'もう一度試す' });
  button.addEventListener('click', () => {
    // The button is removed with its notice, so focus has to move.
    const results = document.getElementById('results') ?? document.getElementById('main');
    results?.focus({ preventScroll: true });
    retry();
  });
  notice.replaceChildren(line, button);
  notice.showPopover();
  // Screen readers notice changes of a live region, not its arrival.
  setTimeout(() => (line.textContent = text));
}

function createNotice(): HTMLElement {
  const notice = document.createElement('div');
  notice.id = 'navigation-notice';
  notice.popover = 'manual';
  document.body.append(notice);
  return notice;
}

function removeNotice(): void {
  document.getElementById('navigation-notice')?.remove();
}
