/** A link to the page with the choices of a group of facts, which replaces them. */
const MISSING = '.fact-group > a[data-facts]';

/**
 * Puts the choices into the groups of facts, which a page carries only where something is chosen. Until they are there,
 * and when they cannot be loaded, the link leads to them.
 */
export async function loadFacts(): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>(MISSING);
  if (!link || link.ariaBusy) return;
  link.ariaBusy = 'true';
  try {
    const reply = await fetch(link.pathname + link.search);
    // The listing has changed meanwhile.
    if (!link.isConnected) return;
    const page = new DOMParser().parseFromString(reply.ok ? await reply.text() : '', 'text/html');
    for (const placeholder of document.querySelectorAll(MISSING)) {
      const id = placeholder.parentElement?.querySelector('summary')?.id ?? '';
      const parts = [...(page.getElementById(id)?.parentElement?.children ?? [])].slice(1);
      if (parts.length === 0) continue;
      const hadFocus = placeholder === document.activeElement;
      placeholder.replaceWith(...parts);
      if (hadFocus) parts.flatMap((part) => [...part.querySelectorAll('a')])[0]?.focus();
    }
  } finally {
    link.ariaBusy = null;
  }
}
