import { atom } from 'nanostores';
import { EXPORT_FILE_PATH, requestExport } from '../../../contract/accounts/own-data.ts';
import { callApi } from '../../api/browser.ts';
import { downloadFrom } from '../../api/files.ts';
import { attempt } from '../shared/attempt.ts';

/** Downloads the member's own data. The host may ask for the password first. */
export function createExport() {
  const $isPreparing = atom(false);

  async function start(): Promise<void> {
    if ($isPreparing.get()) return;
    $isPreparing.set(true);
    const begin = async () => {
      const { token } = await callApi(requestExport);
      downloadFrom(`${EXPORT_FILE_PATH}?${new URLSearchParams({ token }).toString()}`);
    };
    await attempt(begin, { done: 'ダウンロードを始めました。' });
    $isPreparing.set(false);
  }

  return { $isPreparing, start };
}
