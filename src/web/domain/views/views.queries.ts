// Saved views of a project: what is asked for, and what changes them.
import { graphql, type ResultOf } from "../../lib/graphql.ts";

export const projectViews = graphql(`
  query ProjectViews($id: ID!) {
    node(id: $id) {
      __typename
      ... on Project {
        savedViews { id name tab query isShared isOwn isStart }
      }
    }
  }
`);

export type SavedView = Extract<
  ResultOf<typeof projectViews>["node"],
  { readonly __typename: "Project" }
>["savedViews"][number];

export const createView = graphql(`
  mutation CreateView($input: CreateSavedViewInput!) {
    createSavedView(input: $input) { savedView { id name } }
  }
`);

export const changeView = graphql(`
  mutation ChangeView($input: PatchSavedViewInput!) {
    patchSavedView(input: $input) { savedView { id name } }
  }
`);

export const deleteView = graphql(`
  mutation DeleteView($id: ID!) {
    deleteSavedView(id: $id) { savedViewId }
  }
`);

export const setStartView = graphql(`
  mutation SetStartView($input: SetStartViewInput!) {
    setStartView(input: $input) { project { id } }
  }
`);
