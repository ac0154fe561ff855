"""Chat completions, embeddings and an Anthropic message through openlit."""

import os

import openlit

openlit.init(otlp_endpoint=os.environ["COLLECTOR_URL"], disable_batch=True, disable_metrics=True)

import anthropic
import openai

openai.OpenAI().chat.completions.create(
    model="example-1",
    temperature=0.5,
    messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How is the weather in Malmö?"}],
)
openai.OpenAI().embeddings.create(model="example-embed", input="rain")
anthropic.Anthropic().messages.create(
    model="example-1", max_tokens=50, messages=[{"role": "user", "content": "How is the weather?"}]
)
