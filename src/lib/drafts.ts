/** What was typed into a form and not sent yet, by the names of its fields. Secrets are never put here. */
export type Draft = Readonly<Record<string, string>>;

const PREFIX = 'draft:';
const toKey = (form: string) => PREFIX + form;

/** The draft of a form in this tab; anybody may have written there, so only texts are taken. */
export function readDraft(form: string): Draft {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(toKey(form)) ?? '{}');
    if (typeof draft !== 'object' || draft === null) return {};
    return Object.fromEntries(Object.entries(draft).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/** Keeps a draft for as long as its tab lives; an empty one leaves nothing behind. */
export function saveDraft(form: string, draft: Draft): void {
  try {
    const filled = Object.entries(draft).filter(([, text]) => text !== '');
    if (filled.length === 0) sessionStorage.removeItem(toKey(form));
    else sessionStorage.setItem(toKey(form), JSON.stringify(Object.fromEntries(filled)));
  } catch {
    // Storage can be forbidden or full; then what was typed lives as long as its page.
  }
}

/** Leaves no draft behind in this tab: whoever comes next is somebody else. */
export function clearDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
}
