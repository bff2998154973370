/** A text for a pattern of `like … escape '\'` in which it stands for itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
