/** In characters, on an extended host. Separate from the rules, which only a host loads. */
export const USERNAME_LENGTH_MIN = 2;
export const USERNAME_LENGTH_MAX = 30;
