import theme from '../styles/theme.css?raw';

const [light = '', dark = ''] = Array.from(theme.matchAll(/--color-paper: (#\w+);/g), ([, color]) => color);

/** The backgrounds of pages, which browsers also give to their own bars. */
export const PAPER_COLORS = { light, dark };
