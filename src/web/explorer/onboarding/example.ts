// The example project: made by this page, sent as any program sends its traces, and deleted again.
import { EXAMPLE_DESCRIPTION, EXAMPLE_PROJECT } from "../../../demo-data/example-name.ts";
import { failureOfResponse } from "../../lib/failure.ts";
import { askGraphql, graphql } from "../../lib/graphql.ts";
import { fetchApi } from "../../lib/session.ts";

const createExample = graphql(`
  mutation CreateExample($input: CreateProjectInput!) {
    createProject(input: $input) { project { id } }
  }
`);

const findExample = graphql(`
  query FindExample($name: String!) {
    projects(first: 5, filter: { col: name, value: $name }) { edges { node { id name } } }
  }
`);

const deleteExample = graphql(`
  mutation DeleteExample($id: ID!) {
    deleteProject(id: $id) { __typename }
  }
`);

/** Resolves to the id of the example project: the one that is there, or a new one with all its traces. */
export async function ensureExample(): Promise<string> {
  const { projects } = await askGraphql(findExample, { name: EXAMPLE_PROJECT });
  const known = projects.edges.find(({ node }) => node.name === EXAMPLE_PROJECT);
  if (known !== undefined) return known.node.id;
  // Its contents are no part of the page until they are requested.
  const { exampleExports } = await import("../../../demo-data/example-project.ts");
  const input = { name: EXAMPLE_PROJECT, description: EXAMPLE_DESCRIPTION };
  const { createProject } = await askGraphql(createExample, { input });
  for (const body of exampleExports(Date.now())) await send(body);
  return createProject.project.id;
}

async function send(body: unknown): Promise<void> {
  const answer = await fetchApi("v1/traces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw await failureOfResponse(answer);
}

export async function removeExample(id: string): Promise<void> {
  await askGraphql(deleteExample, { id });
}

export function isExample(name: string | undefined): boolean {
  return name === EXAMPLE_PROJECT;
}
