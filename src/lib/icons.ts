/**
 * The symbols, by name. Each is 24 units square, in the colour of the text. Those of a page's first paint are part of
 * every page (`layouts/Shell.astro`); the renderer of islands adds the others (`islands/hydrate.tsx`).
 */
const FIRST_STROKED = {
  heart: 'M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.4 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z',
  download: 'M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 19.5h14',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5L20.5 20.5',
  close: 'M6 6l12 12M18 6 6 18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8c.6-3.7 3.7-6 7.5-6s6.9 2.3 7.5 6',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  upload: 'M12 15.5v-11M7.5 9 12 4.5 16.5 9M5 19.5h14',
  logout: 'M10 4.5H5v15h5M15 8l4 4-4 4M19 12H9.5',
};
const FIRST_FILLED = {
  play: 'M8 5.5v13l11-6.5z',
  pause: 'M7 5.5h3.5v13H7zm6.5 0H17v13h-3.5z',
};
const LATE_STROKED = {
  loop: 'M17 4l3 3-3 3M20 7H8a4 4 0 0 0-4 4v1m3 8-3-3 3-3m-3 3h12a4 4 0 0 0 4-4v-1',
  volume: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5H4Zm12-1a5 5 0 0 1 0 7m2.5-9.5a8.5 8.5 0 0 1 0 12',
  level: 'M4 5h16M6.5 20V9m5.5 11V9m5.5 11V9',
  muted: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5H4Zm12 .5 4.5 4.5m0-4.5L16 14.5',
  check: 'M5 12.5 10 17.5 19.5 7',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  'eye-off':
    'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6.2 7.6A17 17 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.2-1M9.9 9.9a3 3 0 0 0 4.2 4.2',
  external: 'M14 4.5h5.5V10M19 5l-8 8M17.5 14v5.5h-13v-13H10',
  chevron: 'M6 9l6 6 6-6',
  edit: 'M4 20l1-4.5L15.8 4.7a1.8 1.8 0 0 1 2.5 0l1 1a1.8 1.8 0 0 1 0 2.5L8.5 19 4 20ZM14 6.5l3.5 3.5',
  lock: 'M6 10.5h12V20H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.5V12l3 2',
  warning: 'M12 4 2.5 20h19L12 4Zm0 6v4.5m0 2.5v.01',
  trash: 'M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l1 13h9l1-13M10.5 10v6m3-6v6',
};
const LATE_FILLED = {
  previous: 'M6 6h2v12H6zm12 0v12l-9-6z',
  next: 'M16 6h2v12h-2zM6 6v12l9-6z',
};

export type IconName = keyof (typeof FIRST_STROKED &
  typeof FIRST_FILLED &
  typeof LATE_STROKED &
  typeof LATE_FILLED);

/** The sheet of the symbols of every page. */
export const toFirstIcons = () => toSheet(FIRST_STROKED, FIRST_FILLED);
/** The sheet of the others. */
export const toLateIcons = () => toSheet(LATE_STROKED, LATE_FILLED);

function toSheet(
  stroked: Readonly<Record<string, string>>,
  filled: Readonly<Record<string, string>>,
): string {
  const toSymbols = (paths: Readonly<Record<string, string>>, look: string) =>
    Object.entries(paths)
      .map(([name, d]) => `<symbol id="icon-${name}" viewBox="0 0 24 24"><path d="${d}" ${look}/></symbol>`)
      .join('');
  const line = 'stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"';
  const symbols =
    toSymbols(stroked, `fill="var(--icon-fill, none)" ${line}`) + toSymbols(filled, 'fill="currentColor"');
  return `<svg aria-hidden="true">${symbols}</svg>`;
}
