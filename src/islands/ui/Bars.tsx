/** In units of the drawing, which is stretched to the available width. */
const COLUMN = 10;
const BAR = 8;
const HEIGHT = 100;
/** Keeps small numbers visible. */
const HEIGHT_MIN = 3;

interface BarsProps {
  /** Each with its key, oldest first. */
  values: readonly (readonly [key: number, value: number])[];
  className?: string;
}

/** One bar for each value, the last one marked. A table beside it has the numbers. */
export function Bars({ values, className = 'h-10' }: BarsProps) {
  const top = Math.max(1, ...values.map(([, value]) => value));
  return (
    <svg
      className={`bars ${className}`}
      viewBox={`0 0 ${values.length * COLUMN} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map(([key, value], index) => {
        const height = value > 0 ? Math.max(HEIGHT_MIN, (value / top) * HEIGHT) : 1;
        return <rect key={key} x={index * COLUMN + 1} y={HEIGHT - height} width={BAR} height={height} />;
      })}
    </svg>
  );
}
