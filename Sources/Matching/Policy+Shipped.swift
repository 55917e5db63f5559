/// Policies that are included in the program, from `Policies/` in its sources.
extension Policy {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("six-metre-five-minute", PackageResources.six_metre_five_minute_toml),
        ("two-metre-thirty", PackageResources.two_metre_thirty_toml),
        ("en-v2", PackageResources.en_v2_toml),
        ("cwa-1.15", PackageResources.cwa_1_15_toml),
        ("further", PackageResources.further_toml),
    ]

    package static var shippedNames: [String] { files.map(\.name) }

    /// Returns the text of an included policy; `nil` when none has this name.
    package static func shippedText(_ name: String) -> String? {
        files.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Returns an included policy; `nil` when none has this name.
    package static func shipped(_ name: String) -> Policy? {
        shippedText(name).flatMap { try? PolicyFile.parse($0, path: name + ".toml") }
    }
}
