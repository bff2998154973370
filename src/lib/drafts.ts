/** Unsent text of a form, by field name. Never contains secrets. */
export type Draft = Readonly<Record<string, string>>;

const PREFIX = 'draft:';
const toKey = (form: string) => PREFIX + form;

/** The draft of a form in this tab. Storage is untrusted, so only strings are accepted. */
export function readDraft(form: string): Draft {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(toKey(form)) ?? '{}');
    if (typeof draft !== 'object' || draft === null) return {};
    return Object.fromEntries(Object.entries(draft).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/** Stores a draft for the lifetime of its tab; an empty one removes the item. */
export function saveDraft(form: string, draft: Draft): void {
  try {
    const filled = Object.entries(draft).filter(([, text]) => text !== '');
    if (filled.length === 0) sessionStorage.removeItem(toKey(form));
    else sessionStorage.setItem(toKey(form), JSON.stringify(Object.fromEntries(filled)));
  } catch {
    // Storage can be denied or full; then the text lasts only as long as its page.
  }
}

/** Deletes all drafts of this tab: the next user may be another person. */
export function clearDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // If storage is denied, nothing was stored.
  }
}
