/**
 * The sizes that pages use, made once when a picture comes in. A picture's address ends in
 * `/{width}.webp`; the smallest width is the one that replies carry.
 */
export const PICTURE_WIDTHS = {
  thumbnail: [320, 640],
  avatar: [96, 240],
  background: [720, 1440],
  banner: [600, 1200],
  logo: [240, 480],
} as const;
export type PictureKind = keyof typeof PICTURE_WIDTHS;

/** Width to height, where pictures are cropped to a shape; null keeps the picture's own. */
export const PICTURE_SHAPES: Record<PictureKind, number | null> = {
  thumbnail: 1,
  avatar: 1,
  background: 1440 / 280,
  banner: null,
  logo: null,
};

/**
 * The `srcset` of a picture our own host made, or undefined for an address of another form
 * (a foreign host's), which is then used as it is.
 */
export function toSrcset(url: string, kind: PictureKind): string | undefined {
  const widths: readonly number[] = PICTURE_WIDTHS[kind];
  const tail = `/${widths[0]}.webp`;
  if (!url.endsWith(tail)) return undefined;
  const base = url.slice(0, -tail.length);
  return widths.map((width) => `${base}/${width}.webp ${width}w`).join(', ');
}
