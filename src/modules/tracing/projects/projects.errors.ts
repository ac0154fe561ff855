// What can be wrong with a project.
import { fail } from "../../../kernel/failure.ts";

export const projectNotFound = (identifier: string) =>
  fail("projects.not_found", "not_found", `No project has the identifier ${identifier}`);

export const projectNameTaken = (name: string) =>
  fail("projects.name_taken", "conflict", `A project named "${name}" exists`);

export const defaultProjectProtected = (name: string) =>
  fail("projects.default_protected", "forbidden", `The default project "${name}" cannot be deleted`);

export const projectOfEvaluator = (name: string, evaluator: string) =>
  fail(
    "projects.of_evaluator",
    "conflict",
    `Project "${name}" holds the traces of the dataset evaluator "${evaluator}": delete that instead`,
  );

export const projectKeepsFilling = (name: string) =>
  fail("projects.keeps_filling", "unavailable", `Project "${name}" still receives spans; repeat the deletion`);
