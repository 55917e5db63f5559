/// OpenAPI description of the API, as clients receive it.
enum OpenAPIDocument {
    /// The document: OpenAPI 3.1, JSON.
    static let bytes = PackageResources.openapi_json
}
