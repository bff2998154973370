import { readFile, writeFile } from 'node:fs/promises';
import { FEATURES_VERSION } from '#server/media/analysis/sound-features.ts';
import { findSecret } from '#server/platform/crypto/secrets.ts';
import { keyedHash } from '#server/platform/crypto/keyed-hash.ts';
import { type RecordedAction, recordAction } from '#server/features/staff/actions.ts';
import type { RichSite } from '../rich-site.ts';
import { type Damage, BOTH } from './damage.ts';

/** 2100 and 9999. */
const FAR_MS = 4_102_444_800_000;
const NEVER_MS = 253_370_764_800_000;

const record = (
  { database, staffId }: RichSite,
  action: RecordedAction['action'],
  subject: string,
  note?: string,
) => recordAction(database.db, { staffId, action, subject, ...(note !== undefined && { note }) }, Date.now());

const changeSound = (site: RichSite, change: string) =>
  site.run(`update sounds set ${change} where seq = ${site.sound.seq}`);

/** As an approval leaves a member. */
const verify = (site: RichSite, recorded: string) =>
  site.run(`update users set personal_info_status = 'confirmed', is_personal_info_verified = 1,
    account_number = '1234567', verified_details = '${recorded}' where username = 'staff'`);

const recordKey = ({ settings, staffId }: RichSite) =>
  keyedHash(
    findSecret(settings, 'sessions') ?? Buffer.alloc(32),
    'verified details',
    staffId,
    '',
    '',
    '',
    '1234567',
  );

const giveAway = (site: RichSite) =>
  site.run(`update sounds set artist_id = '${site.staffId}' where seq = ${site.other.seq}`);

const UNTIMED = `id, user_id, amount, email, state, created_at`;

/** What somebody changes by hand who knows the tables and has not read the checks. */
export const CHANGE_DAMAGES: readonly Damage[] = [
  {
    name: 'a member becomes staff',
    on: BOTH,
    plant: (site) => site.run(`update users set is_staff = 1 where username = 'fan'`),
    finds: { decisions: ['unrecorded-staff'] },
  },
  {
    name: 'the suspension of a member is lifted',
    on: BOTH,
    async plant(site) {
      await record(site, 'suspend member', site.artistId);
      await site.run(`update users set is_blocked = 0, suspension_reason = null where username = 'artist'`);
    },
    finds: { decisions: ['lifted-blocks'] },
  },
  {
    name: 'the takedown of a sound is lifted',
    on: BOTH,
    plant: (site) => record(site, 'hide sound', site.other.id),
    finds: { decisions: ['lifted-takedowns'] },
  },
  {
    name: 'the terms of the site are deleted',
    on: BOTH,
    plant: (site) => record(site, 'save page', 'member-terms'),
    finds: { decisions: ['lost-pages'] },
  },
  {
    name: 'the settings of the site are lost',
    on: BOTH,
    plant: (site) => record(site, 'set site', 'maintenance_mode', 'on'),
    finds: { decisions: ['site-settings'] },
  },
  {
    name: 'a sound with downloads is given to another artist',
    plant: (site) => changeSound(site, `artist_id = '${site.staffId}'`),
    finds: { counters: ['doubtful'], decisions: ['other-artists'], 'search index': ['other-artist'] },
  },
  {
    name: 'a sound that was changed before is given to another artist',
    on: BOTH,
    async plant(site) {
      await site.run(`insert into sound_changes (sound_seq, artist_id, way, before, changed_at)
        values (${site.other.seq}, '${site.artistId}', 'form', '{}', ${Date.now()})`);
      await giveAway(site);
    },
    finds: { decisions: ['other-artists'], 'search index': ['other-artist'] },
  },
  {
    name: 'a sound without downloads or changes is given to another artist',
    plant: giveAway,
    finds: { 'search index': ['other-artist'] },
  },
  {
    name: 'a sound with downloads is withdrawn',
    plant: (site) => changeSound(site, 'is_published = 0'),
    finds: { 'search index': ['other-visibility'] },
  },
  {
    name: 'the length of a sound becomes 0',
    on: BOTH,
    plant: (site) => changeSound(site, 'duration_ms = 0'),
    finds: { values: ['sounds'] },
  },
  {
    name: 'a sound becomes a web page',
    plant: (site) => changeSound(site, `audio_mime = 'text/html'`),
    finds: { values: ['sounds'] },
  },
  {
    name: 'the waveform of a sound is cut off',
    plant: (site) => changeSound(site, `peaks = '0zz'`),
    finds: { values: ['sounds'] },
  },
  {
    name: 'a task of the server is reserved until the year 2100',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into leases (name, holder, expires_at) values ('jobs', 'x', ${FAR_MS})`),
    finds: { values: ['endless-leases'] },
  },
  {
    name: 'a log-in lasts until the year 9999',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into sessions (id, user_id, token_hash, created_at, expires_at)
        values ('long', '${site.artistId}', 'x', ${Date.now()}, ${NEVER_MS})`),
    finds: { values: ['endless-sessions'] },
  },
  {
    name: 'a mail waits until the year 2100',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into mail_outbox (id, to_address, subject, text, html, state, created_at, next_attempt_at)
        values ('late', 'x@example.test', '', '', '', 'waiting', ${Date.now()}, ${FAR_MS})`),
    finds: { values: ['late-mails'] },
  },
  {
    name: 'a program writes the times of sounds in seconds',
    on: BOTH,
    plant: (site) => changeSound(site, 'created_at = created_at / 1000'),
    finds: { values: ['impossible-times'] },
  },
  {
    name: 'a link for a new password is valid until the year 2100',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into password_resets (token_hash, user_id, created_at, expires_at)
        values ('x', '${site.artistId}', ${Date.now()}, ${FAR_MS})`),
    finds: { values: ['impossible-times'] },
  },
  {
    name: 'the last code of a second factor is one of the year 2100',
    on: BOTH,
    plant: (site) => site.run(`update second_factors set last_step = ${FAR_MS / 30_000}`),
    finds: { values: ['spent-codes'] },
  },
  {
    name: 'what was measured of a sound is cut off',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into sound_features (sound_seq, version, numbers)
        values (${site.other.seq}, ${FEATURES_VERSION}, 'AAAA')`),
    finds: { values: ['unreadable-texts'] },
  },
  {
    name: 'a notice is shown until a day that does not exist',
    on: BOTH,
    plant: (site) => site.run(`update notices set shown_until = '2026-02-30T12:00'`),
    finds: { values: ['unreadable-texts'] },
  },
  {
    name: 'what a change has replaced is not JSON',
    on: BOTH,
    plant: (site) =>
      site.run(`insert into sound_changes (sound_seq, artist_id, way, before, changed_at)
        values (${site.other.seq}, '${site.artistId}', 'form', '{"title', ${Date.now()})`),
    finds: { values: ['unreadable-texts'] },
  },
  {
    name: 'a payout is marked as made without an entry of the ledger',
    plant: (site) =>
      site.run(`insert into transfer_requests (${UNTIMED}, decided_at, decided_by)
        values ('paid', '${site.artistId}', 3, 'x@example.test', 'paid', ${Date.now()}, ${Date.now()}, '${site.staffId}')`),
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: 'a held download is credited without an entry of the ledger',
    plant: (site) => site.run(`update download_credits set state = 'credited', yen = 3 where id = 'old'`),
    finds: { ledger: ['inconsistent'] },
  },
  {
    name: 'the bank account of a verified member changes',
    on: BOTH,
    async plant(site) {
      await verify(site, recordKey(site));
      await site.run(`update users set account_number = '7654321' where username = 'staff'`);
    },
    finds: { payees: ['changed'] },
  },
  {
    name: 'a member is verified without an ID',
    on: ['sqlite'],
    plant: (site) => verify(site, ''),
    finds: { payees: ['unrecorded'] },
  },
  {
    name: 'the bank account of a verified member changed before it was recorded',
    plant: (site) => verify(site, 'unrecorded'),
    finds: {},
    outOfReach: 'a start of a version that records them takes it as it is',
  },
  {
    name: 'an artist passes the quality check',
    plant: (site) => site.run(`update users set is_verified = 1 where username = 'fan'`),
    finds: {},
    outOfReach: 'records of applications are deleted after `RETAIN_IDENTITY_DAYS`',
  },
  {
    name: 'the counter of sounds is set back',
    plant: (site) => site.run(`update sqlite_sequence set seq = 0 where name = 'sounds'`),
    finds: { 'database integrity': ['used-numbers'] },
  },
  {
    name: 'the files of two sounds are exchanged',
    async plant(site) {
      const [one, two] = [site.sound, site.other].map(({ audio_key }) => site.toPath(`sounds/${audio_key}`));
      const [first, second] = [await readFile(one ?? ''), await readFile(two ?? '')];
      await writeFile(one ?? '', second);
      await writeFile(two ?? '', first);
    },
    finds: { 'altered files': ['altered'] },
  },
  {
    name: 'a picture is replaced by a text',
    plant: (site) => writeFile(site.toPath(`pictures/${site.pictureKey}/240.webp`), 'no picture'),
    finds: { 'altered files': ['altered'] },
  },
];
