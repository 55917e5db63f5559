/// The policies that come with the program, `Policies/` in its sources.
extension Policy {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("six-metre-five-minute", PackageResources.six_metre_five_minute_toml),
        ("two-metre-thirty", PackageResources.two_metre_thirty_toml),
        ("en-v2", PackageResources.en_v2_toml),
        ("cwa-1.15", PackageResources.cwa_1_15_toml),
        ("further", PackageResources.further_toml),
    ]

    package static var shippedNames: [String] { files.map(\.name) }

    /// The text of a policy that comes with the program.
    package static func shippedText(_ name: String) -> String? {
        files.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// A policy that comes with the program; `nil` when none has this name.
    package static func shipped(_ name: String) -> Policy? {
        shippedText(name).flatMap { try? PolicyFile.parse($0, path: name + ".toml") }
    }
}
