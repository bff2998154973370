import * as v from 'valibot';
import {
  CERTIFICATES_PAGE_MAX,
  type ListedCertificate,
  getCertificate,
  listOwnCertificates,
} from '../../../contract/downloads/certificates.ts';
import { ApiError } from '../../../contract/calls/errors.ts';
import { callApi } from '../../api/browser.ts';
import { lenient } from '../../api/lenient.ts';
import { saveCsv } from '../../browser/save-file.ts';
import { toCertificatesCsv } from './certificates-csv.ts';
import { readSiteName } from '../../browser/site-name.ts';
import { readStored, writeStored } from '../../browser/stored.ts';
import { attempt } from '../shared/attempt.ts';

/** The certificates of this browser's downloads, newest first. They are the visitor's own and outlive a session. */
const KEY = 'certificates';
/** About 200 KB. */
const STORED_MAX = 500;
/** Certificates that are read at a time. */
const READ_AT_ONCE = 6;

/** Adds a certificate to this browser's list. If storage is full, it is not added; its address is shown anyway. */
export function storeCertificate(certificate: ListedCertificate): void {
  const others = readStoredCertificates().filter(({ id }) => id !== certificate.id);
  writeStored(KEY, [certificate, ...others].slice(0, STORED_MAX));
}

/** This browser's list, without entries that cannot be read. */
export function readStoredCertificates(): ListedCertificate[] {
  return readStored(KEY, (stored) => v.parse(lenient(listOwnCertificates.reply.entries.results), stored));
}

/** Saves this browser's list as CSV. Reads missing values from the certificates. */
export async function saveStoredCertificates(): Promise<void> {
  await attempt(async (signal) => {
    const list = await completeEntries(readStoredCertificates(), signal);
    writeStored(KEY, list);
    saveList(list);
  });
}

/** Reads a few certificates at a time. Once one cannot be read, the remaining entries stay as they are. */
async function completeEntries(list: readonly ListedCertificate[], signal: AbortSignal) {
  const completed: ListedCertificate[] = [];
  let isAnswering = true;
  for (let start = 0; start < list.length; start += READ_AT_ONCE) {
    const part = list.slice(start, start + READ_AT_ONCE).map(async (entry) => {
      if (entry.licence_sha256 !== undefined || !isAnswering) return entry;
      try {
        const { certificate } = await callApi(getCertificate, { params: { id: entry.id }, signal });
        const { sound_id, licence_sha256, licence_line } = certificate;
        return { ...entry, sound_id, licence_sha256, licence_line };
      } catch (error) {
        isAnswering = error instanceof ApiError && error.kind === 'not-found';
        return entry;
      }
    });
    completed.push(...(await Promise.all(part)));
  }
  return completed;
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
  saveCsv(toCertificatesCsv(list, { name: readSiteName(), url: location.origin }), 'downloads.csv');
}
