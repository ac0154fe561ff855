// Loads settings without touching the machine: files in memory, a home nobody has.
import type { Variables } from "../../src/config/environment.ts";
import { ConfigProblems, problemLine, warningLine } from "../../src/config/findings.ts";
import { type LoadedConfig, type LoadOptions, loadConfig } from "../../src/config/load.ts";
import { featureSettings } from "../../src/server/features.ts";
import { memoryFiles } from "./memory-files.ts";

export function loadSettings(variables: Variables = {}, options: LoadOptions = {}): LoadedConfig {
  return loadConfig(variables, {
    features: featureSettings,
    files: memoryFiles(),
    homeDirectory: "/home/somebody",
    currentDirectory: "/current",
    ...options,
  });
}

export interface Refusal {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The lines of a refused start; fails when the settings are accepted. */
export function refusalOf(variables: Variables, options: LoadOptions = {}): Refusal {
  try {
    loadSettings(variables, options);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return { problems: error.problems.map(problemLine), warnings: error.warnings.map(warningLine) };
  }
  throw new Error(`settings were accepted: ${Object.keys(variables).join(", ")}`);
}

export function warningsOf(variables: Variables, options: LoadOptions = {}): string[] {
  return loadSettings(variables, options).warnings.map(warningLine);
}
