import { ApiError } from '../../contract/calls/errors.ts';
import { type Sound, getSound } from '../../contract/sounds/sounds.ts';

/** The sound that other sites may show; null if it is missing, or the host has no page per sound. */
export async function findEmbeddedSound(
  { api, shell }: Pick<App.Locals, 'api' | 'shell'>,
  id: string,
): Promise<Sound | null> {
  if (!shell.config.is_extended) return null;
  return api(getSound, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'not-found') return null;
    throw error;
  });
}
