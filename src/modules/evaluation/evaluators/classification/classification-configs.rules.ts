// The ready-made judges.
import { answerJudges } from "./answer-judges.rules.ts";
import type { ClassificationConfig } from "./classification-config.rules.ts";
import { conversationJudges } from "./conversation-judges.rules.ts";
import { retrievalJudges } from "./retrieval-judges.rules.ts";
import { toolJudges } from "./tool-judges.rules.ts";

/** By name. */
export const classificationConfigs: readonly ClassificationConfig[] = [
  ...answerJudges,
  ...retrievalJudges,
  ...toolJudges,
  ...conversationJudges,
].sort((one, other) => (one.name < other.name ? -1 : 1));
