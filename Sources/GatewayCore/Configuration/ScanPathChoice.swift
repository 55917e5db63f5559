package import HCI

/// What a person can say of the way in which adapters are heard.
package struct ScanPathChoice: Sendable {
    /// `nil`: the best that this process may use.
    package var kind: ScanPathKind?

    package static let automatic = ScanPathChoice(kind: nil)

    package static let allowed = "auto, " + ScanPathKind.allCases.map(\.rawValue).joined(separator: ", ")

    private init(kind: ScanPathKind?) { self.kind = kind }

    /// `nil` for anything that isn't allowed.
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
