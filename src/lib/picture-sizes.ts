/** Displayed width of a card's picture, as in `sizes`. */
export const CARD_PICTURE_SIZES =
  '(min-width: 1320px) 310px, (min-width: 769px) 30vw, (min-width: 480px) 46vw, 96px';

/** Displayed width of the picture of a sound's page. */
export const SOUND_PICTURE_SIZES = '280px';

/** Displayed width of the background of an artist's page. */
export const BACKGROUND_SIZES = '(min-width: 1440px) 1376px, 100vw';

/** The first letter of a name, in place of a picture; '' without a name. */
export function toInitial(name: string): string {
  return [...name][0] ?? '';
}
