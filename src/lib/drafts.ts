/** What was typed into a form and not sent yet, by the names of its fields. Secrets are never put here. */
export type Draft = Readonly<Record<string, string>>;

const toKey = (form: string) => `draft:${form}`;

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
