/// The JSON Schemas (draft 2020-12) of the messages below a gateway's root, as they are published in docs/schemas.
enum ContractSchemas {}
