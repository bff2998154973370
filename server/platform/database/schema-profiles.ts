import type { PictureKind } from '../../../contract/pictures.ts';

/** Replaced pictures, until no cached page refers to them. */
export interface RetiredPicturesTable {
  picture_key: string;
  kind: PictureKind;
  retired_at: number;
}

/** Former usernames; the addresses of their pages redirect. */
export interface FormerUsernamesTable {
  username_key: string;
  username_skeleton: string;
  user_id: string;
  /** When the name was given up. */
  since: number;
}

/** Artists whose sounds, from some seq on, are still indexed as they were before a change. */
export interface UnindexedArtistsTable {
  user_id: string;
  /** New for each change: a process that indexes an earlier change must start again. */
  change_id: string;
  /** The last sound that has been reindexed. */
  after_seq: number;
}

/** An address that waits for confirmation; at most one of each kind per member, deleted once it is in use. */
export interface AddressChangesTable {
  user_id: string;
  /** Its use: for the account, or for visitors' messages. */
  kind: 'account' | 'message';
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  email: string;
  created_at: number;
  expires_at: number;
}

/** A mailed link that undoes a change and all later ones; deleted once used or expired. */
export interface UndoLinksTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  /** The values before the change, by field, as JSON; `{}` if the change does not concern the profile. */
  before: string;
  /** For deletions of sounds: the mail with the link, which waits in the outbox for further deletions. */
  mail_id: string | null;
  created_at: number;
  expires_at: number;
}
