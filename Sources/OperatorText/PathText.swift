extension String {
    /// The last part of a path.
    package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
