import { Problem } from '../../platform/http/http.ts';

interface Outcome {
  readonly state: string;
  readonly decided_by_name: string | null;
}

/**
 * Carries out a decision. If someone else decided first, throws `Problem` 409 that names them and what they decided, in
 * the words of `names`. Other refusals are passed on.
 */
export async function nameFirst(
  decide: () => Promise<void>,
  read: () => Promise<Outcome>,
  names: Readonly<Record<'approved' | 'rejected', string>>,
): Promise<void> {
  try {
    await decide();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    const { state, decided_by_name: name } = await read();
    if (state !== 'approved' && state !== 'rejected') throw error;
    throw new Problem(409, `${name ?? '別の担当者'} さんが先に${names[state]}にしています。`);
  }
}
