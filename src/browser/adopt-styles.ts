const adopted = new Set<string>();

/** Adds a style sheet to the document, once. Unlike elements in <head>, it survives the router's navigations. */
export function adoptStyles(styles: string): void {
  if (adopted.has(styles)) return;
  adopted.add(styles);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
