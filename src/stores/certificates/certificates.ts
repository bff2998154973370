import * as v from 'valibot';
import {
  CERTIFICATES_PAGE_MAX,
  type ListedCertificate,
  ListedCertificateSchema,
  listOwnCertificates,
} from '../../../contract/certificates.ts';
import { callApi } from '../../api/browser.ts';
import { saveCsv } from '../../api/files.ts';
import { toCertificatesCsv } from './certificates-csv.ts';
import { readStored, writeStored } from '../../browser/stored.ts';
import { attempt } from '../shared/attempt.ts';

/** The certificates of this browser's downloads, newest first. They are the visitor's own and outlive a session. */
const KEY = 'certificates';
/** About 100 KB. */
const KEPT_MAX = 500;

/** Adds a certificate to this browser's list. If storage is full, it is not added; its address is shown anyway. */
export function keepCertificate(certificate: ListedCertificate): void {
  const others = readKeptCertificates().filter(({ id }) => id !== certificate.id);
  writeStored(KEY, [certificate, ...others].slice(0, KEPT_MAX));
}

/** This browser's list, without entries that cannot be read. */
export function readKeptCertificates(): ListedCertificate[] {
  return readStored(KEY, (stored) => (Array.isArray(stored) ? stored : [])).filter((entry) =>
    v.is(ListedCertificateSchema, entry),
  );
}

/** Saves this browser's list as CSV. */
export function saveKeptCertificates(): void {
  saveList(readKeptCertificates());
}

/** Saves the list of the member who is logged in as CSV; shows the error if that fails. */
export async function saveOwnCertificates(): Promise<void> {
  await attempt(async (signal) => {
    const list: ListedCertificate[] = [];
    let page: number | null = 1;
    while (page !== null && page <= CERTIFICATES_PAGE_MAX) {
      const part: { results: ListedCertificate[]; next: number | null } = await callApi(listOwnCertificates, {
        query: { page },
        signal,
      });
      list.push(...part.results);
      page = part.next;
    }
    saveList(list);
  });
}

function saveList(list: readonly ListedCertificate[]): void {
  saveCsv(toCertificatesCsv(list, location.origin), 'downloads.csv');
}
