import { followOverlays } from '../islands/overlays/load.ts';
import {
  readStoredCertificates,
  saveOwnCertificates,
  saveStoredCertificates,
} from '../stores/certificates/certificates.ts';

/** Saves a list of downloads; returns what to tell. Loads with the first press. */
export async function saveCertificates(of: string): Promise<string> {
  // A toast shows a failure.
  followOverlays();
  if (of === 'member') await saveOwnCertificates();
  else if (readStoredCertificates().length === 0) return 'このブラウザーには、まだ一覧がありません。';
  else await saveStoredCertificates();
  return '';
}
