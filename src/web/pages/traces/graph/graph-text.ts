// The texts of graphs, which come with their script.
import { textsOf } from "../../../texts/texts.ts";
import { agentGraphTexts } from "./agent-graph.late-texts.ts";

export const graphText = textsOf(agentGraphTexts);
