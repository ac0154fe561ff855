// Errors of saved views. A private view of another user is answered like a missing one.

import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import { SAVED_VIEW } from "./views.schema.ts";

export const viewNotFound = (id: number) =>
  fail("views.not_found", "not_found", `No saved view has the id ${globalId(SAVED_VIEW, id)}`);

export const viewNameTaken = (name: string) =>
  fail("views.name_taken", "conflict", `A saved view named "${name}" exists`);

export const notOwnView = (name: string) =>
  fail(
    "views.not_own",
    "forbidden",
    `Only who saved the view "${name}" and administrators can change or delete it: save one of your own`,
  );

export const tooManyViews = (most: number, isShared: boolean) =>
  fail(
    "views.too_many",
    "invalid",
    isShared
      ? `The project has ${most} saved views for everybody: delete one first`
      : `You have ${most} private views in this project: delete one first`,
  );

export const privateToNobody = () =>
  fail("views.private_to_nobody", "invalid", "isShared: must be true while authentication is off");

export const notYourView = () =>
  fail("views.not_yours", "invalid", "isShared: only who saved a view can make it private");

export const startStaysShared = () =>
  fail("views.start_stays_shared", "invalid", "isShared: the project opens with the view, so it stays for everybody");

export const privateStart = () =>
  fail(
    "views.private_start",
    "invalid",
    "viewId: a project opens for everybody, so its start cannot be a private view",
  );

export const foreignStart = () =>
  fail("views.foreign_start", "invalid", "viewId: the saved view is one of another project");
