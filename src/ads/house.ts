import { publicAtom } from '../browser/public-atom.ts';
import type { Notice } from '../../contract/downloads/ads.ts';
import { reportWatching } from '../../contract/downloads/downloads.ts';
import { callApi } from '../api/browser.ts';
import { findNextNotice } from '../api/notices.ts';
import { unavailable } from './provider.ts';
import type { RewardedAdProvider } from './provider.ts';
import { type ReportWatching, type Watch, startWatch } from './watching.ts';

/** The watch of the visible notice, for the island that draws it. */
export const $watch = publicAtom<Watch | null>(null);

export interface HouseParts {
  readonly findNotice: (signal: AbortSignal) => Promise<Notice | null>;
  readonly report: (
    intent: string,
    body: { state: 'begin' | 'rest' | 'end'; notice: string },
  ) => ReturnType<ReportWatching>;
}

/** The operator's own notices, from the API host: no third party is contacted. */
export function createHouseProvider({ findNotice, report }: HouseParts): RewardedAdProvider {
  return {
    name: 'house',
    async prepare({ signal, clock, intent }) {
      const notice = await findNotice(signal).catch(() => null);
      if (notice === null) return unavailable('not_configured');
      let watch: Watch | null = null;
      return {
        kind: 'ready',
        provider: 'house',
        needsPress: false,
        // A video starts muted; the watch reports when sound is turned on.
        hasSound: false,
        notice,
        async show() {
          const started = startWatch({
            notice,
            clock,
            report: async (state) => (intent === null ? null : report(intent, { state, notice: notice.id })),
          });
          watch = started;
          $watch.set(started);
          const outcome = await started.outcome;
          if ($watch.get() === started) $watch.set(null);
          return outcome;
        },
        dispose: () => watch?.dispose(),
      };
    },
  };
}

export const houseProvider = createHouseProvider({
  findNotice: findNextNotice,
  report: (id, body) => callApi(reportWatching, { params: { id }, body }),
});
