/**
 * Normalised discounted cumulative gain of a result list, 0 to 1: gain 2^grade − 1, discount log2(place + 1). Only the
 * first `at` results count. With nothing relevant, 1 if nothing is found, otherwise 0.
 */
export function ndcg(found: readonly string[], relevant: Readonly<Record<string, number>>, at = 10): number {
  const grades = Object.values(relevant).sort((a, b) => b - a);
  if (grades.length === 0) return found.length === 0 ? 1 : 0;
  const gained = found.map((key) => relevant[key] ?? 0);
  return sumDiscounted(gained.slice(0, at)) / sumDiscounted(grades.slice(0, at));
}

function sumDiscounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
