import { followOverlays } from '../islands/overlays/load.ts';
import {
  readKeptCertificates,
  saveKeptCertificates,
  saveOwnCertificates,
} from '../stores/certificates/certificates.ts';

/** Saves a list of downloads; returns what to tell. Loads with the first press. */
export async function saveCertificates(of: string): Promise<string> {
  // A failure is shown as a toast.
  followOverlays();
  if (of === 'member') await saveOwnCertificates();
  else if (readKeptCertificates().length === 0) return 'このブラウザーには、まだ一覧がありません。';
  else await saveKeptCertificates();
  return '';
}
