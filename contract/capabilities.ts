/**
 * What a host supports beyond spec §7. A host lists the names in its site config (`capabilities`). Without a name, the
 * client shows no link, button, query parameter or promise that needs the capability.
 */
export const CAPABILITIES = [
  /** `/api/account/deletion/`. */
  'account-deletion',
  /** `GET /api/account/artists/`. */
  'artist-list',
  /** Downloads give certificates (`contract/certificates.ts`). */
  'certificates',
  /** Logging in before the address is confirmed sends the confirmation link again. */
  'confirmation-resend',
  /** `POST /api/contact/`. */
  'contact',
  /** `POST /api/account/export/`. */
  'data-export',
  /** Downloads start with an intent (`contract/downloads.ts`). */
  'download-intents',
  /** A changed account address takes effect after its owner opens a mailed link. */
  'email-change-confirmation',
  /** An ID submission and a payout also require the name in kana. */
  'furigana-required',
  /** The idempotency header (`contract/endpoint.ts`). */
  'idempotency-keys',
  /** `POST /api/account/logout/` ends one or all sessions of the member. Setting a new password also ends them. */
  'log-out',
  /** `GET /notice/next` and the files it names (`contract/ads.ts`). */
  'notices',
  /** `GET /api/page/{slug}/`. */
  'page-bodies',
  /** A reset link is valid for 30 minutes. */
  'reset-link-30-minutes',
  /** A message can include the sender's address. */
  'reply-address',
  /** `POST /api/account/report-answers/`. */
  'report-answers',
  /** Visitors can report a sound, and its artist can answer (`contract/reports.ts`). */
  'reports',
  /** Uploads in parts (`contract/resumable-uploads.ts`). */
  'resumable-uploads',
  /** Sounds have facts, which the listing filters by and counts (`contract/sound-facts.ts`). */
  'sound-facts',
  /** `GET /api/sounds/{id}/`; required for a page per sound. */
  'sound-pages',
  /** The listing filters by `ids`. */
  'sounds-by-id',
  /** The listing filters by `is_ai_generated`. */
  'sounds-by-ai',
  /** The listing filters by `sub_genres`. */
  'sounds-by-sub-genre',
  /** The listing supports `ordering`. */
  'sounds-in-order',
  /** `GET /api/search/completions/`. */
  'search-completions',
  /** `GET /api/search/suggestions/`. */
  'search-suggestions',
  /** The listing supports `search`. */
  'sound-search',
  /** `GET /api/sounds/{id}/similar/`. */
  'similar-sounds',
  /** `GET /api/finance/statements/{month}/`. */
  'statements',
  /** `GET /api/finance/transfer-requests/`. */
  'transfer-history',
  /** Usernames follow `contract/usernames.ts`. */
  'username-rules',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The known names in a list that a host sent; unknown names are ignored. */
export function toCapabilities(list: readonly unknown[]): Capability[] {
  return CAPABILITIES.filter((name) => list.includes(name));
}
