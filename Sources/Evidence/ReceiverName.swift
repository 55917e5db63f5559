/// A receiver's path and room.
package struct ReceiverName: Equatable, Sendable {
    /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
    package var path: String
    package var room: String?

    package init(path: String, room: String? = nil) {
        self.path = path
        self.room = room
    }
}
