import * as v from 'valibot';
import { AD_PROVIDER_NAMES } from '../../../contract/downloads/ads.ts';
import { GRANT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { readStored, writeStored } from '../../browser/stored.ts';

const GrantSchema = v.object({
  /** Time by this browser's clock. */
  at: v.number(),
  /** Whether an advertisement was watched to its end. */
  isRewarded: v.boolean(),
  /** Whether the host has been informed (spec §7, `log=true`); it is informed once. */
  isLogged: v.boolean(),
  /** Id of the intent on our own host; null on other hosts. */
  intent: v.nullable(v.string()),
  provider: v.nullable(v.picklist(AD_PROVIDER_NAMES)),
  /** The operator's notice that was watched; our host counts by it. */
  notice: v.nullable(v.string()),
});
/** The right to a sound's file without another advertisement, valid for a day. */
export type DownloadGrant = v.InferOutput<typeof GrantSchema>;

const KEY = 'downloads';
const GRANTS_MAX = 100;
const StoredSchema = v.record(v.string(), v.unknown());

/** Grants that could not be written because storage is full. */
const unsaved = new Map<string, DownloadGrant>();

export function findGrant(soundId: string): DownloadGrant | undefined {
  return readGrants().get(soundId);
}

/** Stored, so that a reload during a download does not require a second advertisement. */
export function saveGrant(soundId: string, grant: DownloadGrant): void {
  const grants = readGrants().set(soundId, grant);
  const latest = [...grants].toSorted(([, a], [, b]) => a.at - b.at).slice(-GRANTS_MAX);
  writeGrants(new Map(latest));
}

export function dropGrant(soundId: string): void {
  const grants = readGrants();
  if (grants.delete(soundId)) writeGrants(grants);
}

function readGrants(): Map<string, DownloadGrant> {
  const now = Date.now();
  const grants = new Map<string, DownloadGrant>();
  const entries = readStored(KEY, (stored) => (v.is(StoredSchema, stored) ? Object.entries(stored) : []));
  for (const [id, stored] of [...entries, ...unsaved]) {
    // An invalid entry does not affect the others.
    const { success, output } = v.safeParse(GrantSchema, stored);
    if (success && output.at <= now && now - output.at < GRANT_MS_MAX) grants.set(id, output);
  }
  return grants;
}

function writeGrants(grants: ReadonlyMap<string, DownloadGrant>): void {
  unsaved.clear();
  if (writeStored(KEY, grants.size === 0 ? null : Object.fromEntries(grants))) return;
  for (const [id, grant] of grants) unsaved.set(id, grant);
}
