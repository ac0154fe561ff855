// What can be wrong with annotation configurations and with what is asked of them.
import { fail } from "../../../kernel/failure.ts";
import { NOTE } from "../../../model/annotation.ts";

export const configNotFound = (identifier: string) =>
  fail("annotation_configs.not_found", "not_found", `No annotation configuration has the identifier ${identifier}`);

export const configNameTaken = (name: string) =>
  fail("annotation_configs.name_taken", "conflict", `An annotation configuration named "${name}" exists`);

export const configNameReserved = () =>
  fail("annotation_configs.name_reserved", "conflict", `name: "${NOTE}" is reserved for notes`);

export const configRefused = (problem: string) => fail("annotation_configs.refused", "malformed", problem);

export const notAConfigId = (text: string) =>
  fail("annotation_configs.not_an_id", "invalid", `${text} is not the id of an annotation configuration`);

export const otherKindOfId = (text: string) =>
  fail("annotation_configs.other_id", "malformed", `${text} is the id of something else`);

export const configCursorRefused = (cursor: string) =>
  fail("annotation_configs.invalid_cursor", "malformed", `Invalid cursor: ${cursor}`);

export const configsUnknown = (ids: readonly string[]) =>
  fail("annotation_configs.unknown", "invalid", `No annotation configuration has the id ${ids.join(", ")}`);

export const alreadyAssigned = (id: string) =>
  fail("annotation_configs.already_assigned", "conflict", `The project has the annotation configuration ${id} already`);

export const notAssigned = (id: string) =>
  fail("annotation_configs.not_assigned", "not_found", `The project does not have the annotation configuration ${id}`);
