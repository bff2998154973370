/**
 * Measures what downloads by one attacker leave in the database: `node bench/attacks/downloads.ts`. Each browser is new,
 * and watches no advertisement. "without caps" shows what the caps of `records.ts` prevent.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openExampleHost } from '../api-document/host.ts';
import { everyTable } from '../../server/platform/database/schema.ts';

const FLOOD_MS = 10_000;
const CALLERS = 16;
const DAY_S = 86_400;
const ADS = { AD_PROVIDERS: 'gpt', GPT_AD_UNIT: '/1234567/rewarded' };
const MANY = '1000000';
const UNCAPPED = { CREDIT_PER_ADDRESS_DAY: MANY, CREDIT_PER_PROVIDER_DAY: MANY, CREDIT_PER_SITE_DAY: MANY };
const TABLES = ['certificates', 'download_credits', 'download_intents', 'download_counts'] as const;

const toHex = (index: number) => (index % 65_536).toString(16);
const ATTACKS = {
  'one /48': (index: number) => `2001:db8:48:${toHex(index)}::1`,
  'one /32': (index: number) => `2001:db8:${toHex(index)}::1`,
  'a network of its own each': (index: number) =>
    `2a${toHex(index % 200).padStart(2, '0')}:${toHex(index)}::1`,
};

/** Prints for each table the rows and bytes of one flood, and of a day of it. */
export async function attackDownloads(): Promise<void> {
  await measure('one /48, without caps', { ...ADS, ...UNCAPPED }, ATTACKS['one /48']);
  for (const [name, toAddress] of Object.entries(ATTACKS)) {
    await measure(`${name}, the host has advertisements`, ADS, toAddress);
    await measure(`${name}, the host has none`, { AD_PROVIDERS: 'none' }, toAddress);
  }
}

async function measure(
  name: string,
  env: Readonly<Record<string, string>>,
  toAddress: (index: number) => string,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-downloads-'));
  const host = await openExampleHost(folder, { ...env, TRUSTED_PROXY_HOPS: '1' });
  try {
    const { db } = host.database;
    const { id } = await everyTable(db).selectFrom('sounds').select('id').executeTakeFirstOrThrow();
    let begun = 0;
    let files = 0;
    const end = performance.now() + FLOOD_MS;
    const flood = async () => {
      while (performance.now() < end) {
        const address = toAddress((begun += 1));
        if ((await download(host.url, id, address)) !== undefined) files += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, flood));
    console.log(`${name}: ${files} files in ${FLOOD_MS / 1000} s`);
    for (const table of TABLES) {
      const rows = await everyTable(db)
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .execute();
      const count = Number(rows[0]?.rows ?? 0);
      const bytes = await sizeOf(db, table);
      const perDay = (count / (FLOOD_MS / 1000)) * DAY_S;
      const rowBytes = count === 0 ? 0 : bytes / count;
      console.log(
        `  ${table}: ${count} rows of ${Math.round(rowBytes)} bytes; a day at this rate ${((perDay * rowBytes) / 1e9).toFixed(2)} GB`,
      );
    }
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A download without an advertisement, by a browser without a cookie; the certificate, or '' for none. */
async function download(url: string, soundId: string, address: string): Promise<string | undefined> {
  const headers = { 'x-forwarded-for': address };
  const begun = await fetch(`${url}/api/sounds/${soundId}/download-intents`, { method: 'POST', headers });
  if (begun.status !== 200) return undefined;
  const { id } = (await begun.json()) as { id: string };
  const cookies = begun.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  const token = cookies.find((each) => each.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  const asked = await fetch(`${url}/api/sounds/${soundId}/download?log=false&intent=${id}`, {
    method: 'POST',
    headers: { ...headers, cookie: cookies.join('; '), origin: url, 'x-xsrf-token': token },
  });
  if (asked.status !== 200) throw new Error(`${asked.status}: ${await asked.text()}`);
  return ((await asked.json()) as { certificate?: string }).certificate ?? '';
}

/** Of a table and its indexes. */
async function sizeOf(
  db: Parameters<ReturnType<typeof sql<{ bytes: number }>>['execute']>[0],
  table: string,
) {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(pgsize) as bytes from dbstat
    where name in (select name from sqlite_master where tbl_name = ${table})`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

if (import.meta.main) await attackDownloads();
