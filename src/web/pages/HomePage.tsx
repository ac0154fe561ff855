// The front address leads to the project that was open last here, or to all of them.
import { Redirect } from "wouter";
import { lastProjectPreference } from "../lib/last-project.ts";
import { linkTo, linkToProject } from "../lib/links.ts";

export function HomePage() {
  const last = lastProjectPreference.get();
  return <Redirect replace to={last === null ? linkTo("projects") : linkToProject(last)} />;
}
