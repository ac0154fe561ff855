// A route of no feature, for tests of what stands before every handler.
import { Type } from "@sinclair/typebox";
import { route } from "../../src/api/route.ts";

/** `POST /v1/things` answers how long the name is that it is given. */
export const createThing = route({
  method: "POST",
  path: "/v1/things",
  operationId: "createThing",
  summary: "Create",
  action: "projects.create",
  status: 200,
  body: Type.Object({ name: Type.String() }),
  response: Type.Object({ length: Type.Integer() }),
  handler: ({ body }) => ({ length: body.name.length }),
});
