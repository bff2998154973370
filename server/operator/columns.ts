import stringWidth from 'string-width';

/** Control characters, which could control the terminal, and bidi marks. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Rows under a header, each column as wide as its longest value. Control characters in members' texts are removed. */
export function toColumns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [head, ...rows].map((row) => row.map(toPlain));
  const widths = head.map((_, column) => Math.max(...table.map((row) => stringWidth(row[column] ?? ''))));
  return table
    .map((row) =>
      row
        .map((value, column) => pad(value, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line for each name and its value, with aligned values. */
export function toFacts(facts: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => stringWidth(name)));
  return Object.entries(facts)
    .map(([name, value]) => `${pad(name, width)}  ${toPlain(value)}`.trimEnd())
    .join('\n');
}

/** For people: `2026-04-01 09:30 UTC`. */
export function toTime(ms: number | null): string {
  return ms === null ? '' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function toPlain(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, ' ');
}

function pad(value: string, width: number): string {
  return value + ' '.repeat(Math.max(0, width - stringWidth(value)));
}
