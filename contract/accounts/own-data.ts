import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';

/** For this long, a link in a mail cancels the deletion of an account, which is hidden meanwhile. */
export const DELETION_GRACE_DAYS = 7;

/** What a member loses by deleting the account, and what prevents it. Amounts are yen. */
export const DeletionPreviewSchema = v.object({
  sounds: v.number(),
  favorites: v.number(),
  /** The whole balance, which the member forfeits. */
  balance: v.number(),
  /** The part of it that a payout would transfer now. */
  payable: v.number(),
  /** A payout request must be decided first. */
  has_open_transfer: v.boolean(),
  /** The last staff account cannot be deleted. */
  is_last_staff: v.boolean(),
});
export type DeletionPreview = v.InferOutput<typeof DeletionPreviewSchema>;

export const previewDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/account/deletion/',
  reply: DeletionPreviewSchema,
});

/** Hides the account at once and deletes it after `DELETION_GRACE_DAYS`. */
export const requestDeletion = defineEndpoint({
  method: 'POST',
  path: '/api/account/deletion/',
  body: v.object({
    /** The balance that the page displayed and that the member forfeits, in yen. */
    forfeit: v.pipe(v.optional(v.number(), 0), v.safeInteger(), v.minValue(0)),
  }),
  reply: v.object({
    /** ISO 8601 in UTC. */
    deleted_at: v.string(),
  }),
  refuses: [400, 403, 409],
});

/** How long the link of an export works, in seconds; a download that has begun may finish. */
export const EXPORT_LINK_SEC = 60;
/** Begins the download of the ZIP file, with `token` in the query. */
export const EXPORT_FILE_PATH = '/api/account/export/file/';

/** A link to a ZIP file with the member's own data. */
export const requestExport = defineEndpoint({
  method: 'POST',
  path: '/api/account/export/',
  reply: v.object({
    /** For `EXPORT_FILE_PATH`. */
    token: v.string(),
  }),
  refuses: [403],
});
