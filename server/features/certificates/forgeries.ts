import { createHash } from 'node:crypto';
import { toLicenceText } from '../../../contract/downloads/certificates.ts';
import { selectKeys } from './queries.ts';
import { createVerifier } from './signer.ts';
import type { Db } from './tables.ts';

const WINDOW_ROWS = 200;
/** Terms are long texts. */
const LICENCES = 10;

/** Certificates whose signature does not fit, and terms of use with another hash. Reads all of them in windows. */
export async function* findForgeries(db: Db): AsyncIterable<string> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('certificates')
      .select(['id', 'body', 'key_id', 'signature'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) break;
    // Read after the rows: the key of a new certificate is stored before it.
    const keys = await selectKeys(db);
    const verifiers = new Map(keys.map(({ id, public_key }) => [id, createVerifier(public_key)]));
    for (const { id, body, key_id, signature } of rows)
      if (verifiers.get(key_id)?.(body, signature) !== true) yield `certificate ${id}`;
    after = last.id;
  }
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('licences')
      .select(['hash', 'title', 'body'])
      .where('hash', '>', after)
      .orderBy('hash')
      .limit(LICENCES)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const { hash, ...text } of rows)
      if (createHash('sha256').update(toLicenceText(text)).digest('hex') !== hash) yield `terms ${hash}`;
    after = last.hash;
  }
}
