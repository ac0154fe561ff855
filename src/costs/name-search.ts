// Which patterns are found in the name of a model. A name has a budget of steps over all of them: patterns are written by people, names
// by senders, and together they must not hold up what stores spans.
import { messageOf } from "../kernel/failure.ts";
import { matchedCharacters } from "./matched-name.ts";
import { compileNamePattern, MAX_STEPS_PER_NAME, type NamePattern, type StepBudget } from "./name-pattern.ts";

/** Patterns that are named for one name without a price. */
const MAX_REPORTED = 3;

/** A model whose pattern is searched for. */
interface NamedModel {
  readonly name: string;
  readonly namePattern: string;
}

/** Why a pattern prices nothing, or not what it could. */
export interface PatternProblem {
  readonly modelName: string;
  readonly namePattern: string;
  readonly problem: string;
}

interface NameSearch {
  /** By the source of a pattern. */
  readonly patterns: ReadonlyMap<string, NamePattern>;
  /** Positions in the list of models, ascending; null when the budget of the name is used up. */
  findIn(name: string, budget: StepBudget): readonly number[] | null;
}

interface NameSearchOptions {
  /** Patterns that are compiled already. */
  readonly compiled?: ReadonlyMap<string, NamePattern> | undefined;
  /** Called once for each pattern. */
  readonly report: (problem: PatternProblem) => void;
}

interface SearchedPattern {
  readonly order: number;
  readonly pattern: NamePattern;
}

/** Leaves out patterns that are not usable, and reports them. */
export function createNameSearch(models: readonly NamedModel[], options: NameSearchOptions): NameSearch {
  const patterns = new Map<string, NamePattern>();
  const reported = new Set<string>();
  // Most patterns are whole names, which are looked up: only the others are tried with every name that is new.
  const whole = new Map<string, number[]>();
  const searched: SearchedPattern[] = [];

  function report({ name, namePattern }: NamedModel, problem: string): void {
    if (reported.size === reported.add(namePattern).size) return;
    options.report({ modelName: name, namePattern, problem });
  }

  /** `spent`: steps of the first patterns that are searched for. */
  function reportExpensive(spent: readonly number[]): void {
    const most = [...spent.entries()].sort(([, one], [, other]) => other - one).slice(0, MAX_REPORTED);
    for (const [position, steps] of most) {
      const { order } = searched[position]!;
      const share = `${steps} of the ${MAX_STEPS_PER_NAME} steps that a name has for all patterns`;
      report(models[order]!, `too expensive: a name has no price, because this pattern took ${share}`);
    }
  }

  for (const [order, model] of models.entries()) {
    const wholeName = wholeNameOf(model.namePattern);
    if (wholeName !== null) {
      const others = whole.get(wholeName);
      if (others === undefined) whole.set(wholeName, [order]);
      else others.push(order);
      continue;
    }
    try {
      const known = patterns.get(model.namePattern) ?? options.compiled?.get(model.namePattern);
      const pattern = known ?? compileNamePattern(model.namePattern);
      patterns.set(model.namePattern, pattern);
      searched.push({ order, pattern });
    } catch (error) {
      report(model, `skipped: ${messageOf(error)}`);
    }
  }

  return {
    patterns,
    findIn(name, budget) {
      const found = [...(whole.get(name.toLowerCase()) ?? [])];
      const allowed = Math.min(MAX_STEPS_PER_NAME, budget.left);
      const own = { left: allowed };
      const characters = matchedCharacters(name);
      const spent: number[] = [];
      for (const { order, pattern } of searched) {
        const before = own.left;
        if (pattern.isFoundAmong(characters, own)) found.push(order);
        spent.push(before - Math.max(0, own.left));
        if (own.left < 0) break;
      }
      budget.left -= allowed - own.left;
      if (own.left >= 0) return found.sort((one, other) => one - other);
      if (allowed === MAX_STEPS_PER_NAME) reportExpensive(spent);
      return null;
    },
  };
}

/** The one name, in lower case, that a pattern such as (?i)^gpt-4\.1$ is found in; null for any other pattern. */
function wholeNameOf(pattern: string): string | null {
  const found = /^\(\?i\)\^((?:[\w\-/:@ ]|\\[.+*?()[\]{}|^$\\])+)\$$/.exec(pattern);
  return found === null ? null : found[1]!.replace(/\\(.)/g, "$1").toLowerCase();
}
