import { createHash, randomBytes } from 'node:crypto';
import { JAPAN_MS } from '../../../contract/values/time-units.ts';
import { toLicenceText } from '../../../contract/downloads/certificates.ts';
import type { Certificate } from '../../../contract/downloads/certificates.ts';
import type { Licence } from '../../../contract/downloads/licence.ts';
import { fillPage } from '../../../contract/site/page-texts.ts';
import { cleanLine } from '../../../contract/values/texts.ts';
import { cached } from '../../platform/database/statements/cached.ts';
import type { Platform } from '../../platform/http/context.ts';
import { findTerms, toUses } from '../terms/terms.ts';
import {
  findCertificate,
  findLicence,
  findPublicSound,
  insertCertificate,
  insertKey,
  insertLicence,
  selectKeys,
} from './queries.ts';
import type { CertificateSigner } from './signer.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** What certificates need in addition to the platform. */
export interface CertificatesOptions {
  readonly signer: CertificateSigner;
  /** The product's own terms for members, for a site whose operator has written none. */
  readonly memberTerms: { readonly title: string; readonly body: string };
}

export type IssuingDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'> & CertificatesOptions;

const ID_BYTES = 16;
/** 2: with the artist's answers on Content ID and uses. 3: with what the terms give. */
const VERSION = 3;

/** The current terms of use, which are stored. */
export interface CurrentLicence {
  readonly hash: string;
  readonly title: string;
  /** null: not recorded. */
  readonly licence: Licence | null;
}

/**
 * Stores what new certificates refer to, the current terms of use and the public key, unless they are stored already.
 * Call it before the transaction that issues one.
 */
export async function prepareCertificates(deps: IssuingDeps): Promise<CurrentLicence> {
  const { database, signer } = deps;
  return cached(database, `certificates ${signer.keyId}`, async () => {
    const { db } = database;
    const created_at = deps.clock.now();
    const { title, body, licence } = await readTerms(deps);
    const hash = createHash('sha256').update(toLicenceText({ title, body })).digest('hex');
    if ((await findLicence(db, hash)) === undefined) {
      await insertLicence(db, { hash, title, body, created_at });
    }
    if (!(await selectKeys(db)).some(({ id }) => id === signer.keyId)) {
      await insertKey(db, { id: signer.keyId, public_key: signer.publicKey, created_at });
    }
    return { hash, title, licence };
  });
}

/** A download to be certified. */
export interface CertifiedDownload {
  readonly soundId: string;
  /** The member who is logged in. */
  readonly memberId: string | null;
  /** The certificate that this browser got for the sound within a day: reused if it would say the same. */
  readonly earlierId: string | null;
  /** false: only that one is returned. */
  readonly isNewAllowed: boolean;
}

/**
 * Issues the certificate of a download in the transaction that completes it, and returns its id; null for a sound that is
 * not public, and where a new one would be needed but is not allowed.
 */
export async function issueCertificate(
  transaction: Handle,
  { siteUrl, siteName, signer }: IssuingDeps,
  licence: CurrentLicence,
  { soundId, memberId, earlierId, isNewAllowed }: CertifiedDownload,
  nowMs: number,
): Promise<string | null> {
  const sound = await findPublicSound(transaction, soundId);
  if (sound === undefined) return null;
  const uses = toUses(sound.licence_uses, licence.licence?.uses ?? []);
  const facts = {
    added_uses: uses.added,
    artist: sound.username,
    content_id: sound.content_id ?? 'unstated',
    file_bytes: Number(sound.audio_size),
    // A file that was not uploaded, such as the demo's, is stored under its hash.
    file_sha256: sound.content_hash ?? sound.audio_key,
    issuer: siteUrl,
    licence_sha256: licence.hash,
    licence_title: licence.title,
    licence_uses: uses.allowed,
    ...(licence.licence !== null && { licence_line: licence.licence.line }),
    site_name: siteName,
    sound_id: soundId,
    // A title from before titles were cleaned may read as another one, or not at all.
    sound_title: cleanLine(sound.title),
    version: VERSION,
  };
  const earlier = earlierId === null ? undefined : await findCertificate(transaction, earlierId);
  if (earlier?.user_id === memberId && hasSameFacts(earlier.body, facts)) return earlier.id;
  if (!isNewAllowed) return null;
  const id = randomBytes(ID_BYTES).toString('base64url');
  const body = toSignedText({ ...facts, id, issued_at: toJapanTime(nowMs) });
  await insertCertificate(transaction, {
    id,
    user_id: memberId,
    issued_at: nowMs,
    body,
    key_id: signer.keyId,
    signature: signer.sign(body),
  });
  return id;
}

/** JSON in the canonical form of RFC 8785, for texts, whole numbers and lists of texts under ASCII keys. */
function toSignedText(certificate: Certificate): string {
  const entries = Object.entries(certificate).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

function hasSameFacts(body: string, facts: Omit<Certificate, 'id' | 'issued_at'>): boolean {
  const { id, issued_at } = JSON.parse(body) as Certificate;
  return toSignedText({ ...facts, id, issued_at }) === body;
}

/** The terms as their page shows them. */
async function readTerms({ database, siteName, memberTerms }: IssuingDeps) {
  const { own, licence } = await findTerms(database);
  return { ...fillPage(own ?? memberTerms, siteName, licence), licence };
}

function toJapanTime(timeMs: number): string {
  return `${new Date(timeMs + JAPAN_MS).toISOString().slice(0, 19)}+09:00`;
}
