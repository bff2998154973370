import type { Database } from '#server/platform/database/open.ts';
import { readMails } from './accounts.ts';
import type { TestApi } from '#support/http/api.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';

/** A report as the form sends it. */
export const REPORT = {
  reason: 'copyright',
  name: '権利 花子',
  email: 'rights@example.test',
  explanation: '2020年に私が公開した曲と同じです。\nhttps://example.test/original',
  relation: '著作権者本人',
  is_truthful: true,
  shares_name: false,
};

let reporters = 0;
/** A reporter who has sent nothing yet. */
export const toReporterEmail = (): string => `reporter-${(reporters += 1)}@example.test`;

export function sendReport(
  api: TestApi,
  soundId: string,
  changes: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return api.post(`/api/sounds/${soundId}/reports/`, { ...REPORT, ...changes }, headers);
}

/** The secret in the newest receipt to an address. */
export async function readSecret(database: Database, email: string): Promise<string> {
  const mails = await readMails(database, email);
  const secret = mails.map(({ text }) => /\/report#token=([\w-]{43})/.exec(text)?.[1]).findLast(Boolean);
  if (secret === undefined) throw new Error(`no receipt was mailed to ${email}`);
  return secret;
}

export async function confirmWith(api: TestApi, token: string) {
  // Mails are told apart by their time.
  api.clock.advance(1);
  const response = await api.post('/api/reports/confirm/', { token });
  if (response.status !== 200) throw new Error(`not confirmed: ${await response.text()}`);
  return (await response.json()) as { id: string; state: string; due_at: string };
}

/** A confirmed report of a sound; returns its id. */
export async function reportSound(
  api: TestApi,
  soundId: string,
  { email = toReporterEmail(), ...changes }: { readonly email?: string } & Record<string, unknown> = {},
): Promise<string> {
  const response = await sendReport(api, soundId, { email, ...changes });
  if (response.status !== 200) throw new Error(`not reported: ${await response.text()}`);
  return (await confirmWith(api, await readSecret(api.database, email))).id;
}

/** A confirmed report of a new sound of an artist; returns its id. */
export async function addReport(api: TestApi, artistId: string): Promise<string> {
  return reportSound(api, await addSoundOf(api.database, artistId));
}
