/** Paper to ink with one accent; all flat. */
export interface Palette {
  paper: string;
  pale: string;
  middle: string;
  ink: string;
  accent: string;
}

export const palettes = {
  dawn: { paper: '#f4efe6', pale: '#e3d9c8', middle: '#bfae95', ink: '#2d2a28', accent: '#d4553a' },
  night: { paper: '#20242c', pale: '#303744', middle: '#56627a', ink: '#ece6d9', accent: '#e2a84a' },
  rain: { paper: '#e3e8ea', pale: '#c6d0d5', middle: '#8a9ba6', ink: '#2b3740', accent: '#3d718f' },
  moss: { paper: '#eff1e6', pale: '#d3dbc2', middle: '#93a57f', ink: '#2a382b', accent: '#c9702f' },
  plum: { paper: '#f4ebec', pale: '#e1ccd2', middle: '#ad8693', ink: '#3a2832', accent: '#b8384f' },
  indigo: { paper: '#e9ebf2', pale: '#c3cade', middle: '#7784b0', ink: '#202848', accent: '#d4553a' },
  sea: { paper: '#e6f0ee', pale: '#bcd7d2', middle: '#669f9a', ink: '#18393b', accent: '#dd7a4c' },
  ember: { paper: '#2a1f1d', pale: '#482d28', middle: '#80402f', ink: '#f1e2d1', accent: '#e5652f' },
  snow: { paper: '#f3f5f6', pale: '#dde3e7', middle: '#a9b6c0', ink: '#303a44', accent: '#c2453c' },
  deep: { paper: '#161a2b', pale: '#252c47', middle: '#4d5a8c', ink: '#e6e8f4', accent: '#7fc1b6' },
} satisfies Record<string, Palette>;

export type PaletteName = keyof typeof palettes;
