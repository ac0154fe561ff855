// `/graphql` over HTTP. The schema and its library are loaded by the first request: a service without GraphQL requests pays
// neither their memory nor their start.
import { type Call, type RouteModule, route } from "../../api/route.ts";
import { answerOf, subscriptionAnswer, takesParts } from "./answers.ts";
import { explorerPage, explorerRoutes } from "./explorer.ts";
import { readAddressed, readPosted, refusedRequest } from "./request.ts";
import type { GraphqlAnswer, GraphqlServer } from "./server.ts";

interface GraphqlRoutesNeeds {
  /** Called once, and again after a failure. */
  readonly load: () => Promise<GraphqlServer>;
  /** Bytes of a request. */
  readonly bodyLimit: number;
  /** `Set-Cookie` values that take the cookies of a sign-in back; none while authentication is off. */
  readonly clearedCookies: readonly string[];
}

export function graphqlRoutes({ load, bodyLimit, clearedCookies }: GraphqlRoutesNeeds): RouteModule {
  let loading: Promise<GraphqlServer> | null = null;
  const server = () => {
    loading ??= load().catch((error: unknown) => {
      // The next request tries again.
      loading = null;
      throw error;
    });
    return loading;
  };

  const acceptOf = (request: Request) => request.headers.get("accept") ?? "";

  const answered = (request: Request, answer: GraphqlAnswer): Response => {
    if ("texts" in answer) return subscriptionAnswer(answer.texts, answer.cancel);
    const response = answerOf(answer.text, acceptOf(request));
    if (answer.signInEnded) for (const cookie of clearedCookies) response.headers.append("set-cookie", cookie);
    return response;
  };

  const posted = async ({ context, request }: Call<unknown, unknown, unknown>) => {
    const way = { operations: "all", takesParts: takesParts(acceptOf(request)) } as const;
    return answered(request, await (await server()).answer(context, await readPosted(request, bodyLimit), way));
  };

  const addressed = async ({ context, request }: Call<unknown, unknown, unknown>) => {
    const query = readAddressed(request);
    const way = { operations: "query", takesParts: false } as const;
    if (query !== null) return answered(request, await (await server()).answer(context, query, way));
    if (!/text\/html|\*\/\*/.test(request.headers.get("accept") ?? "*/*")) {
      throw refusedRequest("No GraphQL query found in the request");
    }
    return explorerPage(request);
  };

  const common = { path: "/graphql", action: "graphql.ask", status: 200, documented: false } as const;
  return {
    name: "graphql",
    routes: [
      route({
        ...common,
        method: "POST",
        operationId: "post /graphql",
        summary: "Run a GraphQL operation",
        handler: posted,
      }),
      route({
        ...common,
        method: "GET",
        operationId: "get /graphql",
        summary: "The GraphQL explorer, or the answer to a query in the address",
        handler: addressed,
      }),
      ...explorerRoutes(),
    ],
  };
}
