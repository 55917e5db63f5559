/// The description of the API that clients get.
enum OpenAPIDocument {
    /// OpenAPI 3.1, JSON.
    static let bytes = PackageResources.openapi_json
}
