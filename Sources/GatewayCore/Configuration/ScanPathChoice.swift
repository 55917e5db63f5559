package import HCI

/// A choice of scan path, as an operator writes it.
package struct ScanPathChoice: Sendable {
    /// The chosen scan path; `nil`: the best one that this process may use.
    package var kind: ScanPathKind?

    package static let automatic = ScanPathChoice(kind: nil)

    package static let allowed = "auto, " + ScanPathKind.allCases.map(\.rawValue).joined(separator: ", ")

    private init(kind: ScanPathKind?) { self.kind = kind }

    /// Parses a choice; `nil` for any other text.
    package init?(_ text: String) {
        if text == "auto" {
            self = .automatic
        } else if let kind = ScanPathKind(rawValue: text) {
            self.init(kind: kind)
        } else {
            return nil
        }
    }
}
