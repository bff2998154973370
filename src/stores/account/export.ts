import { atom } from 'nanostores';
import { EXPORT_FILE_PATH, requestExport } from '../../../contract/own-data.ts';
import { callApi } from '../../api/browser.ts';
import { downloadFrom } from '../../api/files.ts';
import { showToast } from '../overlays/overlays.ts';
import { isCancelled, presentError } from '../shared/request-errors.ts';

/** Downloads the member's own data. The host may ask for the password first. */
export function createExport() {
  const $isPreparing = atom(false);

  async function start(): Promise<void> {
    if ($isPreparing.get()) return;
    $isPreparing.set(true);
    try {
      const { token } = await callApi(requestExport);
      downloadFrom(`${EXPORT_FILE_PATH}?${new URLSearchParams({ token }).toString()}`);
      showToast('success', 'ダウンロードを始めました。');
    } catch (error) {
      if (!isCancelled(error)) presentError(error, { toasts: 'each' });
    } finally {
      $isPreparing.set(false);
    }
  }

  return { $isPreparing, start };
}
