// The words of prompts, for the server and the pages.

/** `STR` is a single text; it can be stored and read, but new versions are chats. */
export const templateTypes = ["CHAT", "STR"] as const;
export type TemplateType = (typeof templateTypes)[number];

/** How variables are written: `{{name}}`, `{name}`, not at all. */
export const templateFormats = ["MUSTACHE", "F_STRING", "NONE"] as const;
export type TemplateFormat = (typeof templateFormats)[number];

/** Who runs the model. */
export const modelProviders = [
  "OPENAI",
  "AZURE_OPENAI",
  "ANTHROPIC",
  "GOOGLE",
  "DEEPSEEK",
  "XAI",
  "OLLAMA",
  "AWS",
  "CEREBRAS",
  "FIREWORKS",
  "GROQ",
  "MOONSHOT",
  "MINIMAX",
  "PERPLEXITY",
  "TOGETHER",
  "ZAI",
  "META",
] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** What the providers call themselves. */
export const modelProviderNames: Readonly<Record<ModelProvider, string>> = {
  OPENAI: "OpenAI",
  AZURE_OPENAI: "Azure OpenAI",
  ANTHROPIC: "Anthropic",
  GOOGLE: "Google Gemini",
  DEEPSEEK: "DeepSeek",
  XAI: "xAI",
  OLLAMA: "Ollama",
  AWS: "AWS Bedrock",
  CEREBRAS: "Cerebras",
  FIREWORKS: "Fireworks",
  GROQ: "Groq",
  MOONSHOT: "Moonshot",
  MINIMAX: "MiniMax",
  PERPLEXITY: "Perplexity",
  TOGETHER: "Together",
  ZAI: "Z.ai",
  META: "Meta",
};

/** The shapes of invocation parameters. */
type ParameterFamily = "openai" | "anthropic" | "google" | "aws";

/** The shape that the provider understands. */
export function parameterFamily(provider: ModelProvider): ParameterFamily {
  switch (provider) {
    case "ANTHROPIC":
      return "anthropic";
    case "GOOGLE":
      return "google";
    case "AWS":
      return "aws";
    default:
      return "openai";
  }
}
