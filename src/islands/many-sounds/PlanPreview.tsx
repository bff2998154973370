/** What will change in how many; it stays in view above the buttons. */
export function PlanPreview({ lines, empty }: { lines: readonly string[]; empty: string }) {
  return (
    <div className="many-preview" role="region" aria-label="変更の内容" tabIndex={0}>
      {lines.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
