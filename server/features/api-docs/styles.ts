/** The style sheet of `/api/docs`, with the colours of `src/styles/theme.css`. The page loads nothing. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --paper: #faf8f4; --surface: #ffffff; --ink: #1d1b18; --muted: #625d54; --line: #e3ded4; --accent: #b93a20;
  --tint: #f3ece3;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #151412; --surface: #1e1c19; --ink: #f0ece4; --muted: #aea79b; --line: #36322c; --accent: #ff9272;
    --tint: #29251f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink); line-height: 1.7; overflow-wrap: anywhere;
  font-family: system-ui, 'Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
header, main, nav { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 1.5rem 0 0.5rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 1rem; padding-bottom: 0.25rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0.25rem; }
p { margin: 0.5rem 0; }
code, pre { font-family: ui-monospace, Menlo, Consolas, 'Noto Sans Mono', monospace; font-size: 0.9em; }
pre { margin: 0.25rem 0; padding: 0.75rem; border-radius: 8px; background: var(--tint); white-space: pre-wrap; }
article {
  margin: 0 0 1.5rem; padding: 1rem; border: 1px solid var(--line); border-radius: 12px;
  background: var(--surface);
}
.call { margin: 0.25rem 0; font-weight: 700; }
.call b { color: var(--accent); }
.facts { padding: 0; list-style: none; color: var(--muted); font-size: 0.95em; }
nav ul { columns: 18rem; column-gap: 2rem; margin: 0.25rem 0 1rem; padding-left: 1.2rem; }
nav li { padding: 0.15rem 0; }
nav h3 { margin: 1rem 0 0; font-size: 1rem; }
.fields { margin: 0.25rem 0; }
.field { margin: 0.35rem 0 0; }
.field span { color: var(--muted); font-size: 0.9em; }
.detail { margin: 0 0 0 1rem; }
.detail .fields { border-left: 2px solid var(--line); padding-left: 0.75rem; }
@media print { nav { display: none; } article { break-inside: avoid; } }
`;
