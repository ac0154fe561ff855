// Addresses of pages with their parameters: ids of any kind come back as they were.
import { expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { linkTo, linkToProject, pathParameter } from "../../src/web/lib/links.ts";

/** What the router hands to a page. */
const routed = (segment: string) => decodeURI(segment);

test("global ids stand in paths as they are, so that the router gives them back", () => {
  // Ids of ten and more end with a padding.
  const [projectId, sessionId] = [globalId("Project", 10), globalId("ProjectSession", 7)];
  expect(projectId).toEndWith("=");
  expect(linkTo("session", { projectId, sessionId })).toBe(`/projects/${projectId}/sessions/${sessionId}`);
  expect(linkToProject(projectId)).toBe(`/projects/${projectId}/traces`);
});

test.each(["chat-1", "a b", "Ada ü", "a/b", "a:b@c", "50%", "x=y&z"])("the id %s comes back", (id) => {
  const segment = linkTo("session", { projectId: "p", sessionId: id }).split("/").at(-1)!;
  expect(pathParameter(routed(segment))).toBe(id);
});
