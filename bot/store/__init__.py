"""The only place with SQL: tables, the engine, and one module for each aggregate."""
