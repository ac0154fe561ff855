// What is wrong or odd about the settings, gathered first and reported all at once: an operator mends a deployment in one
// round, not in ten.
import { Failure } from "../kernel/failure.ts";

export interface Problem {
  /** The variable or option to change. */
  readonly setting: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface Warning {
  readonly setting: string;
  readonly message: string;
}

/** `<VAR>: <problem>` on one line, the hint behind it. */
export function problemLine(problem: Problem): string {
  return `${problem.setting}: ${problem.message}${problem.hint === null ? "" : ` Hint: ${problem.hint}`}`;
}

export function warningLine(warning: Warning): string {
  return `${warning.setting}: ${warning.message}`;
}

/** Refuses the start, with every problem. Kind `invalid`; the message has one line a problem. */
export class ConfigProblems extends Failure {
  constructor(
    readonly problems: readonly Problem[],
    readonly warnings: readonly Warning[],
  ) {
    super("config.invalid", "invalid", problems.map(problemLine).join("\n"));
  }
}

export class Findings {
  readonly problems: Problem[] = [];
  readonly warnings: Warning[] = [];

  problem(setting: string, message: string, hint: string | null = null): void {
    this.problems.push({ setting, message, hint });
  }

  warning(setting: string, message: string): void {
    this.warnings.push({ setting, message });
  }

  throwIfAny(): void {
    if (this.problems.length > 0) throw new ConfigProblems(this.problems, this.warnings);
  }
}

const LONGEST_QUOTE = 200;

/** A refused value inside a message: always one line, never endless. Not for secrets, which are not quoted at all. */
export function quoted(value: string): string {
  const line = value.replace(/[\u0000-\u001f\u007f]/g, (character) => JSON.stringify(character).slice(1, -1));
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}
