/// Person, or a badge or phone whose owner is not in the register, with the path of its page.
package struct PersonLink: Equatable, Sendable {
    /// Name of the person, or what the device is.
    package var name: String
    /// Number of the person, or identifier of the device.
    package var id: String
    package var path: String

    package init(_ name: String, id: String, path: String) {
        self.name = name
        self.id = id
        self.path = path
    }
}
