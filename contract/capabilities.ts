/**
 * What a host can do beyond spec §7. A host lists the names in its site config (`capabilities`); absent means no,
 * and then the client shows no link, button, query parameter or promise that needs the capability.
 */
export const CAPABILITIES = [
  /** `GET /api/account/artists/`. */
  'artist-list',
  /** Logging in before the address is confirmed sends the confirmation link again. */
  'confirmation-resend',
  /** `POST /api/contact/`. */
  'contact',
  /** Downloads begin with an intent (`contract/downloads.ts`). */
  'download-intents',
  /** A changed account address waits until its owner follows a mailed link. */
  'email-change-confirmation',
  /** An ID and a payout also need the name in kana. */
  'furigana-required',
  /** The idempotency header (`contract/endpoint.ts`). */
  'idempotency-keys',
  /** `POST /api/account/logout/` ends a session, or every one of the member; so does a new password. */
  'log-out',
  /** `GET /api/page/{slug}/`. */
  'page-bodies',
  /** A reset link is valid for 30 minutes. */
  'reset-link-30-minutes',
  /** A message can carry the sender's address. */
  'reply-address',
  /** Uploads in pieces (`contract/resumable-uploads.ts`). */
  'resumable-uploads',
  /** `GET /api/sounds/{id}/`, and so a page for each sound. */
  'sound-pages',
  /** The listing filters by `ids`. */
  'sounds-by-id',
  /** The listing filters by `is_ai_generated`. */
  'sounds-by-ai',
  /** The listing filters by `sub_genres`. */
  'sounds-by-sub-genre',
  /** The listing takes `ordering`. */
  'sounds-in-order',
  /** The listing takes `search`. */
  'sound-search',
  /** `GET /api/finance/statements/{month}/`. */
  'statements',
  /** `GET /api/finance/transfer-requests/`. */
  'transfer-history',
  /** Usernames follow `contract/usernames.ts`. */
  'username-rules',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The known names of a list that a host sent; anything else in it is ignored. */
export function toCapabilities(list: readonly unknown[]): Capability[] {
  return CAPABILITIES.filter((name) => list.includes(name));
}
