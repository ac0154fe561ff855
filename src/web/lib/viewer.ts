// Who looks at the page, and what the role allows. Without authentication there is nobody, and everything is allowed.
import { graphql } from "./graphql.ts";
import { useGraphql } from "./queries.ts";
import { start } from "./start.ts";

export const viewerQuery = graphql(`
  query Viewer {
    viewer {
      id
      username
      email
      profilePictureUrl
      authMethod
      passwordNeedsReset
      role {
        name
      }
    }
  }
`);

export interface Rights {
  /** Adds and changes what members may: projects, annotations, datasets, prompts. */
  readonly mayWrite: boolean;
  /** Changes what only administrators may: users, secrets, prices, retention; deletes and renames projects. */
  readonly mayAdminister: boolean;
}

const ALL: Rights = { mayWrite: true, mayAdminister: true };
const NONE: Rights = { mayWrite: false, mayAdminister: false };

/** Undefined while it is asked for, null when nobody is signed in. */
export function useViewer() {
  const { data } = useGraphql(viewerQuery, {}, { enabled: start.authenticationEnabled });
  return start.authenticationEnabled ? data?.viewer : null;
}

/** For controls that are hidden from those who may not use them; the server decides all the same. */
export function useRights(): Rights {
  const viewer = useViewer();
  if (start.readOnly) return NONE;
  if (!start.authenticationEnabled) return ALL;
  const role = viewer?.role.name;
  return { mayWrite: role === "ADMIN" || role === "MEMBER", mayAdminister: role === "ADMIN" };
}
