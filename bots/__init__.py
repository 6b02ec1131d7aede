"""Play seats over gRPC: workers with policies, and a console for a person. Never Redis, never the services' code."""
