import OperatorText

/// Fields of a query or a form (`application/x-www-form-urlencoded`), for the identity provider.
enum FormText {
    /// Returns fields as a query, or as the content of a form.
    static func encode(_ fields: [(String, String)]) -> String {
        fields.map { "\(PercentText.encode($0.0))=\(PercentText.encode($0.1))" }.joined(separator: "&")
    }
}
