extension String {
    /// The last component of a path.
    package var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
