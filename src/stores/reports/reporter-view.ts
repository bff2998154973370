import { atom } from 'nanostores';
import { type ReporterView, confirmReport, viewReport } from '../../../contract/reports.ts';
import { callAnonymously } from '../../api/browser.ts';
import { createMailedLink, isLinkRefused } from '../../browser/mailed-link.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';

export type ReporterViewState =
  | { readonly state: 'reading' | 'link-missing' }
  /** `canRetry`: the link may still be valid. */
  | { readonly state: 'failed'; readonly problems: readonly string[]; readonly canRetry: boolean }
  | {
      readonly state: 'ready' | 'confirming';
      readonly report: ReporterView;
      readonly problems: readonly string[];
    };

/** Shows a report by the secret of its mail, and confirms it. Opening the link changes nothing. */
export function createReporterView() {
  const $view = atom<ReporterViewState>({ state: 'reading' });
  const link = createMailedLink({ key: 'report', names: ['token'], isInFragment: true });
  let token = '';

  function start(): void {
    const opened = link.read();
    if (opened === null) return $view.set({ state: 'link-missing' });
    token = opened.token;
    void read();
  }

  async function read(): Promise<void> {
    $view.set({ state: 'reading' });
    try {
      const report = await callAnonymously(viewReport, { body: { token } });
      $view.set({ state: 'ready', report, problems: [] });
    } catch (error) {
      const isRefused = isLinkRefused(error);
      if (isRefused) link.drop();
      $view.set({ state: 'failed', problems: toErrorMessages(error), canRetry: !isRefused });
    }
  }

  async function confirm(): Promise<void> {
    const current = $view.get();
    if (current.state !== 'ready') return;
    $view.set({ ...current, state: 'confirming', problems: [] });
    try {
      const report = await callAnonymously(confirmReport, { body: { token } });
      $view.set({ state: 'ready', report, problems: [] });
    } catch (error) {
      $view.set({ ...current, problems: toErrorMessages(error) });
    }
  }

  return { $view, start, read, confirm };
}
