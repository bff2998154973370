import type { SessionUser } from '../../contract/accounts/accounts.ts';

/** The session stored under `auth` (spec §3, §4). */
export interface Session {
  readonly isAuthenticated: boolean;
  /** The member whom the browser remembers as logged in. */
  readonly user: SessionUser | null;
  /** The last search on /sounds. */
  readonly search: string;
  readonly subgenres: readonly string[];
  readonly type: string | null;
}

export const NO_SESSION: Session = {
  isAuthenticated: false,
  user: null,
  search: '',
  subgenres: [],
  type: null,
};

/** Reads a stored session; what is invalid in it counts as absent. */
export function toSession(stored: unknown): Session {
  const { isAuthenticated, user, search, subgenres, type } = (stored ?? {}) as Record<string, unknown>;
  return {
    isAuthenticated: isAuthenticated === true,
    user: toUser(user),
    search: toText(search),
    subgenres: Array.isArray(subgenres) ? subgenres.filter((id) => typeof id === 'string') : [],
    type: typeof type === 'string' ? type : null,
  };
}

function toUser(value: unknown): SessionUser | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, username, email, profile_picture } = value as Record<string, unknown>;
  return {
    id: toText(id),
    username: toText(username),
    email: toText(email),
    profile_picture: typeof profile_picture === 'string' ? profile_picture : null,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
