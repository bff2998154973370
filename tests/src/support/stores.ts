import { afterEach, beforeEach, vi } from 'vitest';
import type { SessionUser } from '#contract/accounts/accounts.ts';
import { EXTENDED_META } from '#src/browser/extended-host.ts';
import type { ToastKind } from '#src/browser/toasts.ts';

/** What stores pass to calls, as tests read it. Only what a call uses is there. */
interface CallOptions {
  readonly params: { readonly id: string; readonly month: string };
  readonly query: { readonly page: number; readonly month: number; readonly year: number };
  readonly body: { readonly action: string };
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}
interface UploadOptions {
  readonly params: Record<string, string>;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}
interface Endpoint {
  readonly method: string;
  readonly path: string;
}
export type Call = (endpoint: Endpoint, options: CallOptions) => Promise<unknown>;

// Functions that replace those of the named module, after `vi.mock('#src/api/browser.ts', () => ({ callApi }))`.
// A file that imports its stores statically imports this module first.

/** `#src/api/browser.ts` */
export const callApi = vi.fn<Call>();
/** `#src/api/upload.ts` */
export const uploadForm =
  vi.fn<(endpoint: Endpoint, form: FormData, options: UploadOptions) => Promise<void>>();
/** `#src/stores/overlays/overlays.ts` */
export const showToast = vi.fn<(kind: ToastKind, message: string) => void>();
export const showAlert = vi.fn<(message: string) => void>();
/** `#src/stores/profile/profile.ts`, or its `query.ts` */
export const changeProfile = vi.fn<(change: object) => void>();
export const reloadProfile = vi.fn<() => void>();
/** `#src/stores/my-sounds/list.ts` */
export const refreshSounds = vi.fn<(typeId?: string) => void>();

const MOCKS = [callApi, uploadForm, showToast, showAlert, changeProfile, reloadProfile, refreshSounds];

export const MEMBER: SessionUser = {
  id: '1',
  username: '音の人',
  email: 'a@example.test',
  profile_picture: null,
};
export const STAFF: SessionUser = { ...MEMBER, username: '運営', email: 'staff@example.test' };

interface Setting {
  /** The member of the loaded session store; null: nobody at first. Who is logged in is logged out after each test. */
  readonly member?: SessionUser | null;
  /** The member in storage, for modules that a test loads after `vi.resetModules()`. */
  readonly stored?: SessionUser;
  /** The page is that of an extended host. */
  readonly isExtended?: true;
  /** Stops the time of each test. */
  readonly clock?: Parameters<typeof vi.useFakeTimers>[0] | true;
}

/** Prepares each test of stores or of their calls: empty storage, unused mocks, and real time and globals after it. */
export function useStores({ member, stored, isExtended, clock }: Setting = {}): void {
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const mock of MOCKS) mock.mockReset();
    if (isExtended) setExtended(true);
    if (clock) vi.useFakeTimers(clock === true ? undefined : clock);
    if (stored) {
      localStorage.setItem('token', 'access');
      localStorage.setItem('auth', JSON.stringify({ isAuthenticated: true, user: stored }));
    }
    if (member) (await importSession()).rememberUser(member);
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    if (member === undefined) return;
    const { $session, forgetSession } = await importSession();
    if ($session.get().isAuthenticated) forgetSession();
  });
}

/** Makes the page that of an extended host, or of one that implements only spec §7. */
export function setExtended(isExtended: boolean): void {
  document.head.querySelector(`meta[name="${EXTENDED_META}"]`)?.remove();
  if (isExtended)
    document.head.append(Object.assign(document.createElement('meta'), { name: EXTENDED_META }));
}

const importSession = () => import('#src/stores/session/session.ts');

/** Leaves the next call of `callApi` without a reply until the test gives one. */
export function holdCall() {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  callApi.mockReturnValueOnce(promise);
  return { answer: (reply?: unknown) => resolve(reply), refuse: reject };
}

/** The previews of chosen pictures that have not been released. */
export function usePreviews(): ReadonlySet<string> {
  const previews = new Set<string>();
  let made = 0;
  beforeEach(() => {
    previews.clear();
    made = 0;
    URL.createObjectURL = () => {
      const url = `blob:${(made += 1)}`;
      previews.add(url);
      return url;
    };
    URL.revokeObjectURL = (url) => void previews.delete(url);
  });
  return previews;
}
