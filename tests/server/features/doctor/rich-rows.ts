import { createHash, hkdfSync } from 'node:crypto';
import { toLicenceText } from '#contract/downloads/certificates.ts';
import { createCertificateSigner } from '#server/features/certificates/signer.ts';
import { listFiles } from '#server/features/notices/rows.ts';
import { seal } from '#server/platform/crypto/sealed.ts';
import { findSecret } from '#server/platform/crypto/secrets.ts';
import type { HealthySite } from './doctor.ts';
import { insertRow } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** A notice with its file, whose key is returned. */
export async function addNotice({ database, storage }: HealthySite): Promise<string> {
  const content = Buffer.from('notice');
  const row = {
    state: 'listed' as const,
    kind: 'picture' as const,
    id: 'notice',
    state_since: 0,
    position: 1,
    text: '',
    link: null,
    file_hash: toHash(content),
    file_ending: 'png',
    file_size: content.byteLength,
    captions_hash: null,
    captions_size: null,
    seconds: 15,
    shown_from: '',
    shown_until: '',
  };
  await everyTable(database.db).insertInto('notices').values(row).execute();
  const [file] = listFiles(row);
  await storage.put(file?.key ?? '', content);
  return file?.key ?? '';
}

/** A signed certificate, with its key and terms. */
export async function addCertificate({ database: { db }, settings }: HealthySite): Promise<void> {
  const signer = createCertificateSigner(findSecret(settings, 'certificates') ?? Buffer.alloc(32));
  const terms = { title: '規約', body: '本文' };
  const created_at = Date.now();
  await insertRow({ db }, 'certificate_keys', { id: signer.keyId, public_key: signer.publicKey, created_at });
  await insertRow({ db }, 'licences', {
    ...terms,
    hash: toHash(Buffer.from(toLicenceText(terms))),
    created_at,
  });
  const body = '{"id":"certificate"}';
  await insertRow({ db }, 'certificates', {
    id: 'certificate',
    user_id: null,
    issued_at: created_at,
    body,
    key_id: signer.keyId,
    signature: signer.sign(body),
  });
}

/** A second factor of the staff account. */
export async function addSecondFactor({ database: { db }, settings, staffId }: HealthySite): Promise<void> {
  const secret = findSecret(settings, 'sessions') ?? Buffer.alloc(32);
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'second factor', 32));
  const sealed = seal(key, Buffer.alloc(20, 1), `second factor ${staffId}`).toString('base64');
  const times = { last_step: 0, created_at: Date.now(), confirmed_at: Date.now() };
  await insertRow({ db }, 'second_factors', { ...times, user_id: staffId, secret: sealed });
}

/** SHA-256 in hex. */
export function toHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
