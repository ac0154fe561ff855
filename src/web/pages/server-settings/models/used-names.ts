// Names of models in spans, of all projects together.

export interface UsedName {
  /** As spans say it. */
  readonly name: string;
  readonly tokens: number;
  /** Calls of unknown cost. */
  readonly unknownCount: number;
}

interface Group {
  readonly value: string | null;
  readonly tokens: number | null;
  readonly unknownCount: number;
}

/** Of groups of several projects. */
export function namesOf(groups: readonly Group[]): readonly UsedName[] {
  const byName = new Map<string, UsedName>();
  for (const { value, tokens, unknownCount } of groups) {
    const name = value?.trim() ?? "";
    if (name === "") continue;
    const before = byName.get(name) ?? { name, tokens: 0, unknownCount: 0 };
    byName.set(name, {
      name,
      tokens: before.tokens + (tokens ?? 0),
      unknownCount: before.unknownCount + unknownCount,
    });
  }
  return [...byName.values()].sort((one, other) => other.tokens - one.tokens);
}

/** A pattern that is found in this name alone. */
export function patternOf(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
