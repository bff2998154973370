import { buffer } from 'node:stream/consumers';
import type { ApiDeps } from '../../http/context.ts';
import { seal, unseal } from '../../ports/sealed.ts';

type ImageDeps = Pick<ApiDeps, 'storage' | 'personalInfoKeys'>;

/** What an image belongs to; it opens as nothing else. */
interface Belonging {
  readonly submissionId: string;
  readonly userId: string;
}

/** A room of its own: `/media` gives out pictures and sounds, and nothing of this. */
export function toImageKey(submissionId: string): string {
  return `personal-info/${submissionId}`;
}

/** The plain image exists in memory alone. */
export async function storeImage(
  { storage, personalInfoKeys }: ImageDeps,
  belonging: Belonging,
  image: Uint8Array,
): Promise<void> {
  const sealed = seal(personalInfoKeys, image, toContext(belonging));
  await storage.put(toImageKey(belonging.submissionId), sealed);
}

/** A JPEG. Throws `MissingObjectError`, or `UnopenableSealError` when its key is not there. */
export async function openImage(
  { storage, personalInfoKeys }: ImageDeps,
  belonging: Belonging,
): Promise<Buffer> {
  const sealed = await buffer(await storage.open(toImageKey(belonging.submissionId)));
  return unseal(personalInfoKeys, sealed, toContext(belonging));
}

function toContext({ submissionId, userId }: Belonging): string {
  return `personal-info ${submissionId} ${userId}`;
}
