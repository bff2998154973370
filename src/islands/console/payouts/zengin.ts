import { type LeftOut, getZenginSettings, makeZenginFile } from '../../../../contract/operator/zengin.ts';
import { callApi } from '../../../api/browser.ts';
import { saveFile } from '../../../browser/save-file.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { memberQuery } from '../../../stores/shared/queries.ts';
import { $chosen } from './payouts.ts';

/** The names of the settings without which the server makes no file for the bank. */
export const $zenginMissing = memberQuery<readonly string[]>(['operator-zengin'], {
  fetcher: async (signal) => (await callApi(getZenginSettings, { signal })).missing,
});

/** The last file: what its trailer record says, and the requests that are not in it. */
export interface ZenginResult {
  readonly count: number;
  readonly total: number;
  readonly leftOut: readonly LeftOut[];
}
export const $zenginResult = memberAtom<ZenginResult | null>(null);

/** Saves the file for the bank, and leaves only the requests in it chosen. `date` is `2026-11-30`. Never throws. */
export async function saveZenginFile(ids: readonly string[], date: string): Promise<void> {
  await attempt(async () => {
    const reply = await callApi(makeZenginFile, { body: { ids: [...ids], date } });
    if (reply.file !== null) {
      const bytes = Uint8Array.from(atob(reply.file), (character) => character.charCodeAt(0));
      saveFile({ blob: new Blob([bytes], { type: 'text/plain' }), name: `furikomi-${date}.txt` });
    }
    $chosen.set(reply.ids);
    $zenginResult.set({ count: reply.count, total: reply.total, leftOut: reply.left_out });
  });
}
