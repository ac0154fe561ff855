// What can be wrong with models and their prices.
import { fail } from "../../../kernel/failure.ts";
import { MAX_OWN_MODELS } from "./models.schema.ts";

export const modelRefused = (field: string, problem: string) =>
  fail("models.invalid", "invalid", `${field}: ${problem}`);

export const modelNotFound = (id: string) => fail("models.not_found", "not_found", `No model has the id ${id}`);

export const modelIsBuiltIn = () =>
  fail("models.built_in", "invalid", "Built-in models cannot be changed or deleted: create one with the same pattern");

export const modelNameTaken = (name: string) =>
  fail("models.name_taken", "conflict", `name: a model named "${name}" with the same start exists`);

export const modelPatternTaken = (pattern: string, name: string) =>
  fail(
    "models.pattern_taken",
    "conflict",
    `namePattern: the model "${name}" has the pattern ${pattern}, the same provider and the same start`,
  );

export const tooManyModels = () =>
  fail(
    "models.too_many",
    "conflict",
    `There are ${MAX_OWN_MODELS} own models already, the most that can be: delete some first`,
  );

export const recomputationRuns = () =>
  fail(
    "models.recomputation_runs",
    "conflict",
    "Costs are being recomputed already: wait until that is done, or cancel it",
  );
