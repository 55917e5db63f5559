/// The document that a gateway's local socket tells of its state, as it is documented for programs on the same machine.
package enum LocalContract {
    /// Name of the schema in `beacon-gateway schema`.
    package static let name = "local-status"
    package static let summary = "The state of a running gateway, as `status --json` prints it"
    /// The JSON Schema, draft 2020-12.
    package static let schema = String(decoding: PackageResources.local_status_schema_json, as: UTF8.self)
    /// Path of the schema below docs/.
    package static var path: String { "schemas/\(name).schema.json" }
}
