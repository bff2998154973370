import type { PictureKind } from '../../contract/pictures.ts';

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

/** An address that waits to be confirmed; one a member at most, gone once it counts. */
export interface EmailChangesTable {
  user_id: string;
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  email: string;
  created_at: number;
  expires_at: number;
}
