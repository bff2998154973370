/** Spec §4: the names under which the browser keeps the two tokens. */
const ACCESS = 'token';
const REFRESH = 'refresh';

/**
 * The tokens of this browser's member. Read afresh for every call: another tab may have renewed
 * them or logged out a moment ago. Where storage is forbidden, nobody is logged in.
 */
export function readTokens(): { readonly access: string; readonly refresh: string | null } | null {
  try {
    const access = localStorage.getItem(ACCESS);
    return access ? { access, refresh: localStorage.getItem(REFRESH) } : null;
  } catch {
    return null;
  }
}

/** Keeps new tokens; a host that does not rotate refresh tokens sends none, and the old one stays. */
export function saveTokens({ access, refresh }: { access: string; refresh?: string | undefined }): void {
  localStorage.setItem(ACCESS, access);
  if (refresh !== undefined) localStorage.setItem(REFRESH, refresh);
}

export function clearTokens(): void {
  localStorage.removeItem(ACCESS);
  localStorage.removeItem(REFRESH);
}
