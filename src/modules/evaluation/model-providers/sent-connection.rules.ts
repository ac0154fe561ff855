// Where a model is called, as REST sends it.
import type { ConnectionOptions } from "../../../providers/endpoints.ts";

type SentTexts = Record<
  "base_url" | "azure_endpoint" | "region_name" | "endpoint_url" | "organization" | "project",
  string | null
>;
type SentConnection = Readonly<Partial<SentTexts>> & {
  readonly openai_api_type?: "CHAT_COMPLETIONS" | "RESPONSES" | null;
};

export function connectionOf(sent: SentConnection): ConnectionOptions {
  return {
    baseUrl: sent.base_url ?? null,
    azureEndpoint: sent.azure_endpoint ?? null,
    regionName: sent.region_name ?? null,
    endpointUrl: sent.endpoint_url ?? null,
    openaiApiType: sent.openai_api_type ?? null,
    organization: sent.organization ?? null,
    project: sent.project ?? null,
  };
}
