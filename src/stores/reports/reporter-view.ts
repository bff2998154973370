import { atom } from 'nanostores';
import { ApiError } from '../../../contract/errors.ts';
import { type ReporterView, confirmReport, viewReport } from '../../../contract/reports.ts';
import { callAnonymously } from '../../api/browser.ts';
import { takeFromFragment } from '../../browser/address.ts';
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
  let token: string | null = null;

  /** Reads the secret once and removes it from the address. */
  function start(): void {
    token ??= takeFromFragment('token');
    if (token === null) return $view.set({ state: 'link-missing' });
    void read();
  }

  async function read(): Promise<void> {
    $view.set({ state: 'reading' });
    try {
      const report = await callAnonymously(viewReport, { body: { token: token ?? '' } });
      $view.set({ state: 'ready', report, problems: [] });
    } catch (error) {
      const canRetry = !(error instanceof ApiError) || error.kind === 'unavailable' || error.status === 429;
      $view.set({ state: 'failed', problems: toErrorMessages(error), canRetry });
    }
  }

  async function confirm(): Promise<void> {
    const known = $view.get();
    if (known.state !== 'ready') return;
    $view.set({ ...known, state: 'confirming', problems: [] });
    try {
      const report = await callAnonymously(confirmReport, { body: { token: token ?? '' } });
      $view.set({ state: 'ready', report, problems: [] });
    } catch (error) {
      $view.set({ ...known, problems: toErrorMessages(error) });
    }
  }

  return { $view, start, read, confirm };
}
