// Names this service knows but does nothing with: parts it will not have, and variables of client programs. Setting one is harmless and gives one warning, so that a setting without effect does not go unnoticed.

interface InapplicableGroup {
  readonly reason: string;
  readonly names: readonly string[];
}

export const inapplicableGroups: readonly InapplicableGroup[] = [
  {
    reason: "logging in to PostgreSQL by a cloud identity is not part of this service",
    names: ["SERVICE_POSTGRES_AZURE_SCOPE"],
  },
  {
    reason: "this service is no OAuth2 authorization server",
    names: [
      "SERVICE_ENABLE_OAUTH2_AUTHORIZATION_SERVER",
      "SERVICE_OAUTH2_GRANT_EXPIRY_DAYS",
      "SERVICE_OAUTH2_CONSENT_ORIGIN_CHECK",
      "SERVICE_OAUTH2_DYNAMIC_CLIENT_REGISTRATION",
      "SERVICE_OAUTH2_ALLOWED_REDIRECT_HOSTS",
      "SERVICE_OAUTH2_DCR_RATE_LIMIT_PER_HOUR",
    ],
  },
  {
    reason: "this service has no telemetry",
    names: ["SERVICE_TELEMETRY_ENABLED", "SERVICE_FULLSTORY_ORG", "SERVICE_SCARF_SH_PIXEL_ID"],
  },
  {
    reason: "log lines of this service go to its output alone",
    names: [
      "SERVICE_SERVER_INSTRUMENTATION_OTLP_LOG_COLLECTOR_HTTP_ENDPOINT",
      "SERVICE_SERVER_INSTRUMENTATION_OTLP_LOG_COLLECTOR_GRPC_ENDPOINT",
    ],
  },
  { reason: "pages of this service load nothing from other hosts", names: ["SERVICE_ALLOW_EXTERNAL_RESOURCES"] },
  {
    reason: "the endpoint /mcp is not part of this service",
    names: ["SERVICE_ENABLE_MCP_SERVER", "SERVICE_ENABLE_MCP_CODE_MODE"],
  },
  {
    reason: "an assistant is not part of this service",
    names: [
      "SERVICE_DISABLE_AGENT_ASSISTANT",
      "SERVICE_AGENTS_ASSISTANT_PROJECT_NAME",
      "SERVICE_AGENTS_COLLECTOR_API_KEY",
      "SERVICE_AGENTS_COLLECTOR_ENDPOINT",
      "SERVICE_AGENTS_DISABLE_BASH",
      "SERVICE_AGENTS_DISABLE_WEB_ACCESS",
      "SERVICE_AGENTS_ENABLE_MCP_CODE_MODE",
      "SERVICE_AGENTS_FORCE_TRACING",
      "SERVICE_SKILLS_PATHS",
    ],
  },
  {
    reason: "code sandboxes are not part of this service",
    names: ["SERVICE_ALLOWED_SANDBOX_PROVIDERS", "SERVICE_WASM_BINARY_PATH"],
  },
  {
    reason: "this service loads no Python code",
    names: ["SERVICE_FASTAPI_MIDDLEWARE_PATHS", "SERVICE_GQL_EXTENSION_PATHS", "SERVICE_GRPC_INTERCEPTOR_PATHS"],
  },
  { reason: "this service is not embedded in notebooks", names: ["SERVICE_NOTEBOOK_ENV"] },
  { reason: "it is a switch of a page's build", names: ["SERVICE_ENABLE_SOURCE_MAP"] },
  {
    reason: "it is deprecated and not needed",
    names: ["SERVICE_ENABLE_WEBSOCKETS", "SERVICE_POSTGRES_AWS_IAM_TOKEN_LIFETIME_SECONDS"],
  },
];

/** Read by client programs, which often share an environment with the service: no warning. */
export const clientNames: readonly string[] = [
  "SERVICE_API_KEY",
  "SERVICE_COLLECTOR_ENDPOINT",
  "SERVICE_CLIENT_HEADERS",
  "SERVICE_PROJECT",
  "SERVICE_ENDPOINT",
  "SERVICE_BASE_URL",
  "SERVICE_DISCOVER_CONFIG",
];
