/** Spec §4: the storage keys of the two tokens. */
const ACCESS = 'token';
const REFRESH = 'refresh';

/** Read from storage for every call: another tab may just have renewed or removed them. */
export function readTokens(): { readonly access: string; readonly refresh: string | null } | null {
  const access = localStorage.getItem(ACCESS);
  return access ? { access, refresh: localStorage.getItem(REFRESH) } : null;
}

/** Stores new tokens. A host that does not rotate refresh tokens sends none, and the old one stays. */
export function saveTokens({ access, refresh }: { access: string; refresh?: string | undefined }): void {
  localStorage.setItem(ACCESS, access);
  if (refresh !== undefined) localStorage.setItem(REFRESH, refresh);
}

export function clearTokens(): void {
  localStorage.removeItem(ACCESS);
  localStorage.removeItem(REFRESH);
}
