"""Observations of Langfuse's SDK, sent over OTLP."""

from langfuse import Langfuse, propagate_attributes

langfuse = Langfuse(public_key="none", secret_key="none", flush_at=1)

with langfuse.start_as_current_observation(as_type="agent", name="answer", input={"question": "How is the weather?"}) as root:
    with propagate_attributes(session_id="session-1", user_id="user-1", tags=["guide"], metadata={"tier": "gold"}):
        with langfuse.start_as_current_observation(
            as_type="generation",
            name="ask",
            model="example-1",
            model_parameters={"temperature": 0.5},
            input=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How is the weather?"}],
        ) as generation:
            generation.update(
                output={"role": "assistant", "content": "Rain."},
                usage_details={"input": 20, "output": 7, "total": 27, "cache_read_input_tokens": 5},
                cost_details={"input": 0.001, "output": 0.002, "total": 0.003},
                metadata={"try": 1},
            )
        with langfuse.start_as_current_observation(as_type="tool", name="weather", input={"city": "Malmö"}) as tool:
            tool.update(output={"weather": "rain"})
        with langfuse.start_as_current_observation(as_type="retriever", name="find", input="rain") as retriever:
            retriever.update(output=[{"page_content": "It rains.", "score": 0.5}])
        with langfuse.start_as_current_observation(
            as_type="embedding", name="embed", model="example-embed", input="rain", usage_details={"input": 3}
        ):
            pass
    root.update(output="Rain.")
langfuse.flush()
