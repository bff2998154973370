/** The facts of a report with their names, without the empty ones. */
export function ReportFacts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="grid gap-3">
      {facts.map(
        ([name, value]) =>
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="whitespace-pre-line">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
