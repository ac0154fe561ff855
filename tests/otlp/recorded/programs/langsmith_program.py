"""Runs of LangSmith's SDK, sent over OTLP."""

import os

os.environ["LANGSMITH_TRACING"] = "true"
os.environ["LANGSMITH_OTEL_ENABLED"] = "true"
os.environ["LANGSMITH_OTEL_ONLY"] = "true"
os.environ["LANGSMITH_API_KEY"] = "none"
os.environ["LANGSMITH_ENDPOINT"] = os.environ["COLLECTOR_URL"]

import openai
from langsmith import Client, traceable
from langsmith.wrappers import wrap_openai

model = wrap_openai(openai.OpenAI())


@traceable(run_type="tool")
def weather(city: str) -> dict:
    return {"city": city, "weather": "rain"}


@traceable(run_type="retriever")
def find(query: str) -> list:
    return [{"page_content": "It rains.", "type": "Document", "metadata": {"source": "a"}}]


@traceable(run_type="chain", tags=["guide"], metadata={"session_id": "session-1", "tier": "gold"})
def answer(question: str) -> str:
    find(question)
    weather("Malmö")
    completion = model.chat.completions.create(
        model="example-1",
        temperature=0.5,
        messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}],
    )
    return completion.choices[0].message.content


client = Client()
answer("How is the weather in Malmö?", langsmith_extra={"client": client})
client.flush()
