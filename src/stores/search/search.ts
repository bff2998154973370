export { $box, closeBox, leaveBox, offer } from './box.ts';
export { findActive, listOptions, pressKey } from './combobox.ts';
export type { Option } from './combobox.ts';
export { $completions } from './completions.ts';
export { reportMissed } from './missed.ts';
export { clearRecent, readRecent, removeRecent } from './recent.ts';
export { searchFor } from './typing.ts';
