"""Which schemas each service takes: the server's side of strict tools and structured output.

A target is a row of rules, each with the vendor's document or the words of a real error. Targets know nothing of how
an adapter makes its schemas; they judge what arrived.
"""

from harness.dialects.schemas.places import Place, json_schema, places
from harness.dialects.schemas.targets import TARGETS, Target, schema_faults

__all__ = ["TARGETS", "Place", "Target", "json_schema", "places", "schema_faults"]
