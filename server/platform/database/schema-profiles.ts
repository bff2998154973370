import type { PictureKind } from '../../../contract/pictures.ts';

/** Pictures that were replaced, until no cached page names them any more. */
export interface RetiredPicturesTable {
  picture_key: string;
  kind: PictureKind;
  retired_at: number;
}

/** Names that members had before; the addresses of their pages go on leading to them. */
export interface FormerUsernamesTable {
  username_key: string;
  username_skeleton: string;
  user_id: string;
  /** Since when the name is given up. */
  since: number;
}

/** Artists whose sounds, from some seq on, the search index still has as they were before a change. */
export interface UnindexedArtistsTable {
  user_id: string;
  /** Another one for each change: a process that indexes for an earlier one has to start again. */
  change_id: string;
  /** The last sound that is done. */
  after_seq: number;
}

/** An address that waits to be confirmed; one of each kind per member at most, deleted once it is in use. */
export interface AddressChangesTable {
  user_id: string;
  /** What it is for: the account, or messages of visitors. */
  kind: 'account' | 'message';
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  email: string;
  created_at: number;
  expires_at: number;
}

/** A link in a mail that undoes a change and everything after it; deleted once used or expired. */
export interface UndoLinksTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  /** The values before the change, by field, as JSON; `{}` where the change was none of the profile. */
  before: string;
  created_at: number;
  expires_at: number;
}
