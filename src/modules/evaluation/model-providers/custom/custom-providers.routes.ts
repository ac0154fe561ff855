// Custom providers over REST: what they are called and how to reach them in a call, never with what.
import { Type } from "@sinclair/typebox";
import { type Route, route } from "../../../../api/route.ts";
import { globalId } from "../../../../kernel/ids.ts";
import { arrivalCursors, pageBody, readRestCursor, startAt } from "../../../../kernel/list.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../../kernel/paging.ts";
import { InstantText, Words } from "../../../../kernel/schema.ts";
import { formatInstant } from "../../../../kernel/time.ts";
import { type CustomProviderSdk, customProviderSdks } from "../../../../model/custom-provider.ts";
import { cursorRefused } from "./custom-providers.errors.ts";
import { CUSTOM_PROVIDER, type CustomProvider } from "./custom-providers.schema.ts";
import type { CustomProvidersService } from "./custom-providers.service.ts";

const Query = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 100, maximum: 1000 }) });

const sdkWord = (sdk: CustomProviderSdk) => sdk.toLowerCase() as Lowercase<CustomProviderSdk>;

const Listed = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String({ description: "Left out without one." })),
  provider: Type.String({ description: "Free text, e.g. `litellm`." }),
  sdk: Words(customProviderSdks.map(sdkWord)),
  created_at: InstantText(),
  updated_at: InstantText(),
});

const cursors = arrivalCursors(CUSTOM_PROVIDER);

/** Throws kind `invalid`. */
function placeOf(cursor: string | undefined) {
  try {
    return readRestCursor(cursors, cursor);
  } catch {
    throw cursorRefused(cursor ?? "");
  }
}

function listedBody({ id, name, description, provider, sdk, createdUs, updatedUs }: CustomProvider) {
  return {
    id: globalId(CUSTOM_PROVIDER, id),
    name,
    ...(description === null ? {} : { description }),
    provider,
    sdk: sdkWord(sdk),
    created_at: formatInstant(createdUs),
    updated_at: formatInstant(updatedUs),
  };
}

export function customProvidersRoute(providers: CustomProvidersService): Route {
  return route({
    method: "GET",
    path: "/v1/custom_model_providers",
    operationId: "getCustomModelProviders",
    summary: "List custom model providers",
    description: "Newest first, without addresses and credentials.",
    action: "model_providers.read",
    status: 200,
    query: Query,
    response: pageOf(Listed),
    errors: { invalid: "The cursor is not one of this list." },
    example: {
      parameters: { limit: 10 },
      response: {
        data: [
          {
            id: "R2VuZXJhdGl2ZU1vZGVsQ3VzdG9tUHJvdmlkZXI6MQ==",
            name: "gateway",
            description: "LiteLLM in the office",
            provider: "litellm",
            sdk: "openai",
            created_at: "2026-11-20T09:30:00+00:00",
            updated_at: "2026-11-20T09:30:00+00:00",
          },
        ],
        next_cursor: null,
      },
    },
    handler: async ({ context, query: { cursor, limit } }) => {
      const page = await providers.listProviders(context, { start: startAt(placeOf(cursor)), limit });
      return pageBody(page, cursors, listedBody);
    },
  });
}
