import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastWholeNumber } from '../calls/query-values.ts';
import { type Read, extra, listOf } from '../calls/wire.ts';

/**
 * Certificates of downloads: what was downloaded, when, and under which terms. They stay valid when the sound, the terms
 * or a name changes. docs/certificates.md explains how to check one without the site.
 */

/**
 * What is signed. The order of the keys is that of RFC 8785, alphabetical, and all values are texts, whole numbers and
 * lists of texts: `JSON.stringify` of the value as it was received gives the signed bytes. Only optional keys may be
 * added: issued certificates never change. Those of version 1 have no `content_id` and no `licence_uses`; those of version
 * 2 have no `added_uses` and no `licence_line`.
 */
const CertificateSchema = v.object({
  /** Those of `licence_uses` that only the artist allowed at the time of the download. */
  added_uses: v.optional(v.array(v.string())),
  /** The username of the artist at the time of the download. */
  artist: v.string(),
  /** What the artist said of Content ID at the time of the download: a `ContentIdState`, or `unstated`. */
  content_id: v.optional(v.string()),
  file_bytes: v.number(),
  /** Of the file that was served, in hexadecimal. */
  file_sha256: v.string(),
  id: v.string(),
  /** In Japan, such as `2026-11-23T17:01:02+09:00`. */
  issued_at: v.string(),
  /** The address of the site. */
  issuer: v.string(),
  /** What the terms of use gave for every sound, in one line. */
  licence_line: v.optional(v.string()),
  /** SHA-256 of the terms of use, whose text is at `getLicence`. */
  licence_sha256: v.string(),
  licence_title: v.string(),
  /**
   * What the sound could be used for at the time of the download: `LICENCE_USES`. In version 2 only what the artist
   * allowed; none: the terms of use alone.
   */
  licence_uses: v.optional(v.array(v.string())),
  site_name: v.string(),
  sound_id: v.string(),
  /** At the time of the download; '' for none. */
  sound_title: v.string(),
  version: v.number(),
});
export type Certificate = Read<typeof CertificateSchema>;

export const getCertificate = defineEndpoint({
  method: 'GET',
  path: '/api/certificates/{id}/',
  reply: v.object({
    certificate: CertificateSchema,
    signature: v.object({
      algorithm: v.literal('Ed25519'),
      /** Names one of `listCertificateKeys`. */
      key_id: v.string(),
      /** 64 bytes in base64url. */
      value: v.string(),
    }),
    /** Whether the sound is public now; not signed. */
    is_sound_public: extra(v.boolean()),
  }),
  refuses: [404],
});

export const CertificateKeySchema = v.object({
  id: v.string(),
  algorithm: v.literal('Ed25519'),
  /** The 32 bytes of RFC 8032 in base64url. */
  public_key: v.string(),
  /** ISO 8601, UTC. */
  since: v.string(),
});

/** The public keys of all certificates: of the current key, and of earlier ones. */
export const listCertificateKeys = defineEndpoint({
  method: 'GET',
  path: '/api/certificate-keys/',
  reply: listOf(CertificateKeySchema),
});

/** Terms of use that a certificate names. The text of an address never changes. */
export const getLicence = defineEndpoint({
  method: 'GET',
  path: '/api/licences/{hash}/',
  reply: v.object({
    /** SHA-256 of the UTF-8 bytes of the title, an empty line and the body (`toLicenceText`). */
    hash: v.string(),
    title: v.string(),
    /** Markdown. */
    body: v.string(),
    /** When the site first used it: ISO 8601, UTC. */
    since: v.string(),
  }),
  refuses: [404],
});

/** The text whose SHA-256 is the hash of the terms. */
export function toLicenceText({ title, body }: { readonly title: string; readonly body: string }): string {
  return `${title}\n\n${body}`;
}

/** An entry of a list of certificates. */
export const ListedCertificateSchema = v.object({
  id: v.string(),
  /** As in the certificate. */
  issued_at: v.string(),
  sound_title: v.string(),
  artist: v.string(),
  sound_id: extra(v.string()),
  licence_sha256: extra(v.string()),
  licence_line: v.optional(v.string()),
});
export type ListedCertificate = Read<typeof ListedCertificateSchema>;

export const CERTIFICATES_PAGE_SIZE = 500;
export const CERTIFICATES_PAGE_MAX = 100;
const PAGE_PROBLEM = `ページ番号は1から${CERTIFICATES_PAGE_MAX}までの整数で指定してください。`;

/** The certificates of downloads that the caller made while logged in, newest first. */
export const listOwnCertificates = defineEndpoint({
  method: 'GET',
  path: '/api/account/certificates/',
  query: v.object({
    page: v.optional(lastWholeNumber(1, CERTIFICATES_PAGE_MAX, PAGE_PROBLEM)),
  }),
  /** `next` is the number of the next page. */
  reply: v.object({ results: listOf(ListedCertificateSchema), next: v.nullable(v.number()) }),
  refuses: [400],
});
