import {
  type FactChoices,
  type FactName,
  FACT_FILTERS,
  FACT_PARAMETERS,
  type FactParameter,
  toFactName,
} from '../../contract/sounds/sound-facts.ts';

/**
 * The chosen facts of a URL in one order, so that one listing has one address. Unknown values are left out, and excluded
 * ones that are also wanted.
 */
export function parseFacts(params: URLSearchParams): FactChoices {
  const choices: { [Parameter in FactParameter]?: readonly string[] } = {};
  for (const parameter of FACT_PARAMETERS) {
    const name = toFactName(parameter);
    const given = params.getAll(parameter);
    const wanted: readonly string[] = parameter === name ? [] : (choices[name] ?? []);
    const values = FACT_FILTERS[name].values.filter(
      (value) => given.includes(value) && !wanted.includes(value),
    );
    if (values.length > 0) choices[parameter] = values;
  }
  return choices;
}

/** Chooses a value, or removes it if it is chosen. A value is never both wanted and excluded. */
export function toggleFact(choices: FactChoices, parameter: FactParameter, value: string): FactChoices {
  const name = toFactName(parameter);
  const next: { [Parameter in FactParameter]?: readonly string[] } = {};
  for (const each of FACT_PARAMETERS) {
    const chosen = choices[each] ?? [];
    const values =
      each === parameter
        ? FACT_FILTERS[name].values.filter((other) => chosen.includes(other) !== (other === value))
        : chosen.filter((other) => other !== value || toFactName(each) !== name);
    if (values.length > 0) next[each] = values;
  }
  return next;
}

/** Without uses that are asked for; those that are excluded stay. */
export function omitUses(choices: FactChoices, uses: readonly string[]): FactChoices {
  const { use = [], ...others } = choices;
  const left = use.filter((each) => !uses.includes(each));
  return left.length > 0 ? { ...choices, use: left } : others;
}

/** Each chosen value with its parameter. */
export function listFacts(
  choices: FactChoices,
): { parameter: FactParameter; name: FactName; value: string }[] {
  return FACT_PARAMETERS.flatMap((parameter) =>
    (choices[parameter] ?? []).map((value) => ({ parameter, name: toFactName(parameter), value })),
  );
}
