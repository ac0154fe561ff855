// The current user, and what the role allows. With authentication off there is no current user, and everything is allowed.
import { graphql } from "./graphql.ts";
import { useGraphql } from "./queries.ts";
import { start } from "./start.ts";

const viewerQuery = graphql(`
  query Viewer {
    viewer {
      id
      username
      email
      profilePictureUrl
      authMethod
      passwordNeedsReset
      isManagementUser
      createdAt
      role {
        name
      }
    }
  }
`);

export interface Rights {
  /** Adds and changes what members may: projects, annotations, datasets, prompts. */
  readonly mayWrite: boolean;
  /** Keeps what only the person sees, which viewers may too. */
  readonly mayKeepOwn: boolean;
  /** Changes what only administrators may: users, secrets, prices, retention; deletes and renames projects. */
  readonly mayAdminister: boolean;
  /** Sees what only administrators see; in read-only mode without changing it. */
  readonly isAdministrator: boolean;
}

/** Asked once for a page: a new role or password ends the sign-in, and the next one asks again. */
export function useViewerQuery() {
  return useGraphql(viewerQuery, {}, { enabled: start.authenticationEnabled, fixed: true });
}

/** Undefined while it is asked for, null without a sign-in. */
export function useViewer() {
  const { data } = useViewerQuery();
  return start.authenticationEnabled ? data?.viewer : null;
}

/** For controls that are hidden from those who may not use them; the server decides all the same. */
export function useRights(): Rights {
  const role = useViewer()?.role.name;
  const isAdministrator = !start.authenticationEnabled || role === "ADMIN";
  return {
    mayWrite: !start.readOnly && (isAdministrator || role === "MEMBER"),
    mayKeepOwn: !start.readOnly && role !== undefined,
    mayAdminister: !start.readOnly && isAdministrator,
    isAdministrator,
  };
}
