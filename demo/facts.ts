import type { LicenceUse } from '../contract/sounds/sound-facts.ts';
import type { NewSound } from '../server/features/catalogue/service.ts';
import type { SoundSpec } from './catalogue.ts';

const USES: readonly (readonly LicenceUse[])[] = [
  [],
  ['venues'],
  ['venues', 'broadcast'],
  ['venues', 'broadcast', 'songs'],
];

type Facts = Pick<NewSound, 'is_loopable' | 'has_vocals' | 'moods' | 'licence_uses' | 'content_id'>;

/** What the artist of a demo sound has said about it; every fifth has not answered. */
export function describeFacts({ typeName, moods }: SoundSpec, index: number): Facts {
  if (index % 5 === 0) return {};
  return {
    is_loopable: index % 3 === 0,
    ...(typeName === 'BGM' && { has_vocals: false }),
    moods,
    licence_uses: USES[index % USES.length] ?? [],
    ...(index % 2 === 0 && { content_id: index % 7 === 0 ? 'registered' : 'none' }),
  };
}
