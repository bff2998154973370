/**
 * The widths that pages use, generated once per uploaded picture. A picture's address ends in `/{width}.webp`; replies
 * carry the smallest width.
 */
export const PICTURE_WIDTHS = {
  thumbnail: [320, 640],
  avatar: [96, 240],
  background: [720, 1440],
  banner: [600, 1200],
  logo: [240, 480],
} as const;
export type PictureKind = keyof typeof PICTURE_WIDTHS;

/** Aspect ratios (width to height) to which pictures are cropped; null keeps the picture's own. */
export const PICTURE_SHAPES: Record<PictureKind, number | null> = {
  thumbnail: 1,
  avatar: 1,
  background: 1440 / 280,
  banner: null,
  logo: null,
};

/** The `srcset` of a picture made by our own host; undefined for other addresses, which are used as they are. */
export function toSrcset(url: string, kind: PictureKind): string | undefined {
  const widths: readonly number[] = PICTURE_WIDTHS[kind];
  const tail = `/${widths[0]}.webp`;
  if (!url.endsWith(tail)) return undefined;
  const base = url.slice(0, -tail.length);
  return widths.map((width) => `${base}/${width}.webp ${width}w`).join(', ');
}

/** The picture of a shared link, in pixels, as social networks show it largest. */
export const SHARE_PICTURE = { width: 1200, height: 630 } as const;
