import { downloadSound } from '../../contract/sounds.ts';
import { callApi } from '../api/browser.ts';
import { fetchFile, saveFile } from '../api/files.ts';

/** Asks for a sound's file and hands it to the browser's own download. Throws `ApiError`. */
export async function downloadFile({ id, title, artist }: { id: string; title: string; artist: string }) {
  const { url } = await callApi(downloadSound, { params: { id }, query: { log: false } });
  saveFile(await fetchFile(url, `${title} - ${artist}`));
}
