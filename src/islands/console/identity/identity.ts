import {
  type ReviewedPersonalInfo,
  type WaitingPersonalInfo,
  getPersonalInfo,
  listPersonalInfo,
  reviewPersonalInfo,
  viewPersonalInfoPhotograph,
} from '../../../../contract/operator/personal-info.ts';
import { callApi } from '../../../api/browser.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { isCancelled, presentError } from '../../../stores/shared/request-errors.ts';
import { createDesk } from '../desk/desk.ts';
import { type OpeningKey, SealError, type SealProblem, openSeal, readKeyFile } from './seals.ts';

/** Private keys are forgotten after this time without use. */
export const KEYS_IDLE_MS = 15 * 60_000;

/** The photograph of the application on the screen. */
export type Photograph =
  | { readonly state: 'closed' }
  | { readonly state: 'opening'; readonly id: string }
  | { readonly state: 'open'; readonly id: string; readonly picture: ImageBitmap; readonly viewedAt: number }
  | {
      readonly state: 'failed';
      readonly id: string;
      readonly problem: SealProblem | { readonly kind: 'call' };
    };

/** Why there are no keys. `idle`: they were not used for `KEYS_IDLE_MS`. */
export type KeyProblem = SealProblem | { readonly kind: 'idle' };

const CLOSED: Photograph = { state: 'closed' };

/** Checks of IDs, one application at a time. */
export const identityDesk = createDesk<WaitingPersonalInfo, ReviewedPersonalInfo>({
  list: async (signal) => (await callApi(listPersonalInfo, { signal })).results,
  read: (id, signal) => callApi(getPersonalInfo, { params: { id }, signal }),
  prepare({ details_hash }, { id }, { action, reason }) {
    const photograph = $photograph.get();
    const isSeen = photograph.state === 'open' && photograph.id === id;
    if (action === 'approve' && !isSeen) return null;
    const body =
      action === 'approve' && isSeen
        ? { action, viewed_at: photograph.viewedAt, details_hash }
        : { action: 'reject' as const, reason };
    return async () => void (await callApi(reviewPersonalInfo, { params: { id }, body, keepalive: true }));
  },
});

/** The private keys of the chosen file. They stay in memory and cannot be read from it, only used. */
export const $openingKeys = memberAtom<readonly OpeningKey[]>([]);
export const $photograph = memberAtom<Photograph>(CLOSED, close);
export const $keyProblem = memberAtom<KeyProblem | null>(null);

let idle: ReturnType<typeof setTimeout> | undefined;

/** Takes the private keys of a file, which is not sent anywhere. */
export async function chooseKeyFile(file: Blob): Promise<void> {
  const signal = memberSignal();
  try {
    const keys = await readKeyFile(file);
    if (signal.aborted) return;
    $keyProblem.set(null);
    $openingKeys.set(keys);
    touchKeys();
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    if (!signal.aborted) $keyProblem.set(error.problem);
  }
}

/** Forgets the keys and the photograph; called when the page is left. */
export function forgetKeys(problem: KeyProblem | null = null): void {
  clearTimeout(idle);
  $openingKeys.set([]);
  $keyProblem.set(problem);
  closePhotograph();
}

/** The keys are kept for `KEYS_IDLE_MS` from now. */
export function touchKeys(): void {
  clearTimeout(idle);
  if ($openingKeys.get().length > 0) idle = setTimeout(forgetKeys, KEYS_IDLE_MS, { kind: 'idle' });
}

/** Asks for the photograph of an application, which the server records, and opens it here. Without keys: nothing. */
export async function openPhotograph(id: string, keys = $openingKeys.get()): Promise<void> {
  closePhotograph();
  if (keys.length === 0) return;
  touchKeys();
  const opening: Photograph = { state: 'opening', id };
  $photograph.set(opening);
  const next = await open(id, keys);
  // Another application is on the screen, or the keys are gone.
  if ($photograph.get() === opening) $photograph.set(next);
  else close(next);
}

/** Frees the memory of the picture. */
export function closePhotograph(): void {
  const photograph = $photograph.get();
  $photograph.set(CLOSED);
  close(photograph);
}

async function open(id: string, keys: readonly OpeningKey[]): Promise<Photograph> {
  try {
    const reply = await callApi(viewPersonalInfoPhotograph, { params: { id }, signal: memberSignal() });
    const { sealed, sealed_key: sealedKey, context, viewed_at: viewedAt } = reply;
    const jpeg = await openSeal(keys, { sealed, sealedKey, context });
    return { state: 'open', id, picture: await createImageBitmap(jpeg), viewedAt };
  } catch (error) {
    if (error instanceof SealError) return { state: 'failed', id, problem: error.problem };
    if (!memberSignal().aborted && !isCancelled(error)) presentError(error, { toasts: 'each' });
    return { state: 'failed', id, problem: { kind: 'call' } };
  }
}

function close(photograph: Photograph): void {
  if (photograph.state === 'open') photograph.picture.close();
}
